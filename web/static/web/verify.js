/**
 * The page that verifies a day: fetches its bundle, checks it, and shows what holds.
 *
 * @module
 */

import { objectsIn } from "./ndjson.js";
import { Verifier } from "./verifier.js";

const TOLD = 10;
/** Milliseconds of work after which the page may breathe. */
const BREATH_MS = 50;

const root = /** @type {HTMLElement} */ (document.getElementById("verifier"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("verify"));
const checks = /** @type {HTMLElement} */ (document.getElementById("checks"));
const progress = /** @type {HTMLElement} */ (document.getElementById("progress"));
const bar = /** @type {HTMLProgressElement} */ (progress.querySelector("progress"));
const progressWords = /** @type {HTMLElement} */ (document.getElementById("progress-words"));
const verdict = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const rules = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("rules")).textContent ?? "");

async function verify() {
  begin();
  try {
    conclude(await check());
  } catch (error) {
    tellFailure(/** @type {Error} */ (error));
  } finally {
    progress.hidden = true;
    button.disabled = false;
    button.textContent = "Verify again";
  }
}

function begin() {
  button.disabled = true;
  checks.hidden = progress.hidden = false;
  verdict.replaceChildren();
  verdict.className = "verdict-box";
  for (const item of checks.children) mark(/** @type {HTMLElement} */ (item), "pending", []);
}

/** Check the bundle from its first line to its last. */
async function check() {
  const lines = objectsIn(await bundle());
  const { value: header } = await lines.next();
  const verifier = new Verifier(header ?? {}, rules);
  await verifier.checkHeader();
  for (const check of /** @type {const} */ (["commitment", "deal", "best"])) show(verifier, check);
  await checkRuns(verifier, lines);
  await verifier.finish();
  comparePage(verifier);
  return verifier;
}

async function bundle() {
  const answer = await fetch(root.dataset.bundle ?? "", { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok || !answer.body) throw new Error(`The server answered ${answer.status} instead of the bundle.`);
  return answer.body;
}

/** @param {Verifier} verifier @param {AsyncGenerator<Record<string, any>>} lines */
async function checkRuns(verifier, lines) {
  let breathedAt = performance.now();
  for await (const run of lines) {
    verifier.addRun(run);
    if (performance.now() - breathedAt < BREATH_MS) continue;
    showProgress(verifier);
    await new Promise((resolve) => setTimeout(resolve));
    breathedAt = performance.now();
  }
  showProgress(verifier);
}

/** @param {Verifier} verifier */
function showProgress({ runs, header }) {
  bar.max = Math.max(header.runs, 1);
  bar.value = runs;
  progressWords.textContent = `${runs.toLocaleString("en")} of ${header.runs.toLocaleString("en")} runs`;
}

/** What the page says has to be what the bundle says. @param {Verifier} verifier */
function comparePage({ header, differences }) {
  const { commitment, digest } = root.dataset;
  if (header.commitment !== commitment) differences.commitment.push(`the bundle has another commitment than this page: ${header.commitment}`);
  if (header.digest !== digest) differences.digest.push(`the bundle has another digest than this page: ${header.digest}`);
}

/** @param {Verifier} verifier */
function conclude(verifier) {
  for (const name of Object.keys(verifier.differences)) show(verifier, /** @type {import("./verifier.js").Check} */ (name));
  const { found, runs, fieldSize } = verifier;
  const counted = `${runs.toLocaleString("en")} runs, ${fieldSize.toLocaleString("en")} ranked.`;
  if (found) tell("differs", "This day does not hold.", `${counted} Differences: ${found}. They are told above.`);
  else tell("holds", "This day holds.", `${counted} Commitment, deck, runs, order, ranks and digest were computed again here and are what was published.`);
  showRecomputed(verifier);
}

/** @param {Verifier} verifier */
function showRecomputed({ recomputed }) {
  const list = document.createElement("dl");
  list.className = "inputs";
  list.append(entry("Commitment, computed here", recomputed.commitment), entry("Digest, computed here", recomputed.digest));
  verdict.append(list);
}

/** @param {string} name @param {string} value */
function entry(name, value) {
  const row = document.createElement("div");
  row.append(element("dt", name), document.createElement("dd"));
  row.lastElementChild?.append(element("code", value));
  return row;
}

/** @param {Error} error */
function tellFailure(error) {
  for (const item of checks.children) {
    if (item.className === "pending") item.className = "open";
  }
  tell("differs", "It could not be checked to the end.", `${error.message} What was not reached says nothing.`);
}

/** @param {string} kind @param {string} title @param {string} words */
function tell(kind, title, words) {
  verdict.className = `verdict-box ${kind}`;
  verdict.replaceChildren(element("strong", title), " ", words);
}

/** @param {Verifier} verifier @param {import("./verifier.js").Check} name */
function show(verifier, name) {
  const item = /** @type {HTMLElement} */ (checks.querySelector(`[data-check="${name}"]`));
  const told = verifier.differences[name];
  mark(item, told.length ? "differs" : "holds", told);
}

/** @param {HTMLElement} item @param {string} state @param {string[]} told */
function mark(item, state, told) {
  item.className = state;
  item.querySelectorAll("ul, .state").forEach((old) => old.remove());
  if (state === "pending") return;
  item.querySelector("strong")?.after(Object.assign(element("span", ` ${state}`), { className: "state" }));
  if (told.length) item.append(listOf(told));
}

/** @param {string[]} told */
function listOf(told) {
  const list = document.createElement("ul");
  list.append(...told.slice(0, TOLD).map((text) => element("li", text)));
  if (told.length > TOLD) list.append(element("li", `and ${told.length - TOLD} more`));
  return list;
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

root.hidden = false;
if (globalThis.crypto?.subtle) {
  button.addEventListener("click", verify);
} else {
  button.disabled = true;
  tell("differs", "This browser does not compute hashes here.", "It does so on pages that come by https only.");
}
