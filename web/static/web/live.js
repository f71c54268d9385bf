// A board that is still moving: asks for its own page again and shows what has changed.

const PERIOD_MS = 15_000;
const LONGEST_WAIT_MS = 300_000;
const SHOWN_MS = 6_000;
const MOVE_MS = 600;

/** @typedef {{ entered: HTMLTableRowElement[], risen: HTMLTableRowElement[], fallen: HTMLTableRowElement[] }} Change */
/** @typedef {{ rank: number, top: number }} Place */

const status = /** @type {HTMLElement} */ (document.getElementById("live-status"));

let etag = "";
let wait = PERIOD_MS;
let timer = 0;
let isAsking = false;
let isOver = false;
let shown = boardOf(document)?.innerHTML;

/** @param {Document} page */
function boardOf(page) {
  return page.getElementById("board");
}

/**
 * The page as it is now, or null where it is as it was.
 * @returns {Promise<Document | null>}
 */
async function ask() {
  const headers = etag ? { "If-None-Match": etag } : undefined;
  const response = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(PERIOD_MS) });
  if (response.status === 304) return null;
  if (!response.ok) throw new Error(`The board answered ${response.status}`);
  etag = response.headers.get("ETag") ?? "";
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

async function poll() {
  if (isAsking || isOver) return;
  isAsking = true;
  try {
    const page = await ask();
    wait = PERIOD_MS;
    take(page);
  } catch {
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    say("Not updating: the service cannot be reached. Trying again.", "is-late");
  } finally {
    isAsking = false;
    schedule();
  }
}

function schedule() {
  clearTimeout(timer);
  if (!isOver && document.visibilityState === "visible") timer = window.setTimeout(poll, wait);
}

/** @param {Document | null} page */
function take(page) {
  const present = boardOf(document);
  const next = page && boardOf(page);
  if (!page || !present) return sayLive();
  if (!next || next.dataset.live !== present.dataset.live) return end();
  if (next.innerHTML === shown) return sayLive();
  shown = next.innerHTML;
  const before = placesOf(present);
  replace(present, /** @type {HTMLElement} */ (document.importNode(next, true)));
  const change = compare(before);
  show(change, before);
  sayLive(change);
}

/** The board is settled by now, or it is another day's: what is new is more than rows. */
function end() {
  isOver = true;
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = "Show the page as it is now";
  say("This board has moved on. ", "");
  status.append(link);
}

/**
 * Puts the new board in the old one's place; the focus stays on the same link.
 * @param {HTMLElement} present
 * @param {HTMLElement} next
 */
function replace(present, next) {
  const focused = document.activeElement;
  const href = focused && present.contains(focused) ? focused.getAttribute("href") : null;
  present.replaceWith(next);
  const again = href && next.querySelector(`a[href="${CSS.escape(href)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** @param {HTMLElement} board */
function rowsOf(board) {
  return /** @type {NodeListOf<HTMLTableRowElement>} */ (board.querySelectorAll("tr[data-player]"));
}

/**
 * Where everybody stands, by name.
 * @param {HTMLElement} board
 * @returns {Map<string, Place>}
 */
function placesOf(board) {
  return new Map([...rowsOf(board)].map((row) => [row.dataset.player ?? "", placeOf(row)]));
}

/** @param {HTMLTableRowElement} row */
function placeOf(row) {
  return { rank: Number(row.dataset.rank), top: row.getBoundingClientRect().top };
}

/**
 * Who is new among the rows, and who stands higher or lower than before.
 * @param {Map<string, Place>} before
 * @returns {Change}
 */
function compare(before) {
  const rows = [...rowsOf(/** @type {HTMLElement} */ (boardOf(document)))];
  const was = rows.map((row) => before.get(row.dataset.player ?? "")?.rank);
  const is = rows.map((row) => Number(row.dataset.rank));
  return {
    entered: rows.filter((_, at) => was[at] === undefined),
    risen: rows.filter((_, at) => is[at] < (was[at] ?? 0)),
    fallen: rows.filter((_, at) => is[at] > (was[at] ?? Infinity)),
  };
}

/**
 * @param {Change} change
 * @param {Map<string, Place>} before
 */
function show({ entered, risen, fallen }, before) {
  mark(entered, "is-new");
  mark(risen, "has-risen");
  mark(fallen, "has-fallen");
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) [...risen, ...fallen].forEach((row) => slide(row, before));
}

/**
 * @param {HTMLElement[]} rows
 * @param {string} name
 */
function mark(rows, name) {
  rows.forEach((row) => row.classList.add(name));
  window.setTimeout(() => rows.forEach((row) => row.classList.remove(name)), SHOWN_MS);
}

/**
 * Lets a row move from where it was to where it is.
 * @param {HTMLTableRowElement} row
 * @param {Map<string, Place>} before
 */
function slide(row, before) {
  const from = (before.get(row.dataset.player ?? "")?.top ?? 0) - row.getBoundingClientRect().top;
  row.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
}

/** @param {Change} [change] */
function sayLive(change) {
  const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (change) say(`Updated at ${time}: ${summary(change)}.`, "is-live");
  else if (!status.classList.contains("is-live")) say("Live: this board updates itself.", "is-live");
}

/** @param {Change} change */
function summary({ entered, risen, fallen }) {
  const parts = [
    entered.length ? `${entered.length} new` : "",
    risen.length ? `${risen.length} up` : "",
    fallen.length ? `${fallen.length} down` : "",
  ].filter(Boolean);
  return parts.join(", ") || "the figures have changed, the places on this page have not";
}

/**
 * @param {string} text
 * @param {string} kind
 */
function say(text, kind) {
  status.className = `live-status soft ${kind}`;
  if (status.textContent !== text) status.textContent = text;
}

function wake() {
  clearTimeout(timer);
  if (document.visibilityState === "visible") poll();
}

document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pageshow", (event) => event.persisted && wake());
sayLive();
schedule();
