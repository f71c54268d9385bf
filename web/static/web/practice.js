/**
 * The practice page: deals of all kinds, played without anybody watching, and what came of them.
 *
 * @module
 */

import { dealNamed, randomDeal } from "./dealing.js";
import { BadCode, NotSecure } from "./deals.js";
import { Game } from "./game.js";
import { isForTable } from "./keys.js";
import { outcomeOf } from "./practice_outcome.js";
import { readHand, saveHand } from "./saved.js";
import { showStatistics } from "./statistics_dialog.js";
import { count, forgetStatistics } from "./statistics.js";
import { Stopwatch } from "./stopwatch.js";

const TICK_MS = 250;

/** @typedef {import("./saved.js").Hand} Hand */
/** @typedef {import("./rules.js").Rules} Rules */

/** What the server says: see `web.views.play`. @type {{rules: Rules[], day: {date: string, rules: string, deck: string, code: string, best: number | null} | null, refusal: string}} */
const page = JSON.parse(find("practice").textContent ?? "");
/** @type {Map<string, Rules>} */
const ruleSets = new Map(page.rules.map((rules) => [rules.slug, rules]));

class Practice {
  /** @type {Hand} */
  #hand;
  #game;
  #watch = new Stopwatch();
  #isOver = false;

  /** @param {Hand} hand */
  constructor(hand) {
    this.#hand = hand;
    this.#game = new Game(find("table"), { ...hand, rules: rulesOf(hand) });
    this.#listen();
    this.#take(hand);
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** Play another deal; one that was started and not won is lost by that. @param {Hand} hand */
  leaveFor(hand) {
    if (this.isLostByLeaving) this.#count(false);
    this.#game.deal({ ...hand, rules: rulesOf(hand) });
    this.#take(hand);
  }

  /** Whether the deal on the table counts as lost once it is left. */
  get isLostByLeaving() {
    return this.#hand.isStarted && !this.#hand.isCounted;
  }

  get hand() {
    return this.#hand;
  }

  /** @param {Hand} hand */
  #take(hand) {
    this.#hand = hand;
    this.#watch.set(hand.elapsedMs);
    this.#game.isPaused = false;
    this.#seeWhetherOver();
    this.#tick();
    this.#describe();
    this.#save();
    if (this.#isOver) this.#showOutcome();
  }

  /** Say which deal this is: in its line, and in the address, which can be shared. */
  #describe() {
    const { code, day } = this.#hand;
    const name = day ? `Deal of ${day}` : (code ?? "A deal without a code");
    find("deal-line").textContent = `${rulesOf(this.#hand).title} · ${name}`;
    history.replaceState(null, "", linkTo(this.#hand));
  }

  #save() {
    this.#hand.log = this.#game.board.log;
    this.#hand.elapsedMs = this.#watch.elapsedMs;
    saveHand(this.#hand);
  }

  #tick() {
    this.#game.showTime(this.#watch.elapsedMs);
  }

  #listen() {
    this.#game.addEventListener("move", () => this.#moved());
    this.#game.addEventListener("over", () => this.#over());
    this.#game.addEventListener("dead-end", () => this.#showOutcome());
    this.#game.addEventListener("pause", () => this.#paused());
    document.addEventListener("visibilitychange", () => this.#lookedAway());
    addEventListener("pagehide", () => this.#save());
    document.addEventListener("keydown", (event) => {
      if (isForTable(event) && event.key.toLowerCase() === "p") this.#togglePause();
    });
    find("pause").addEventListener("click", () => this.#togglePause());
    find("restart").addEventListener("click", () => void this.#askToRestart());
  }

  #moved() {
    this.#seeWhetherOver();
    this.#hand.isStarted = true;
    if (this.#isOver) this.#watch.stop();
    else this.#watch.start();
    this.#tick();
    this.#save();
  }

  #seeWhetherOver() {
    this.#isOver = this.#game.board.isWon || this.#game.board.isStuck;
    find("pause").setAttribute("aria-disabled", String(this.#isOver));
  }

  #over() {
    const isFirstWin = this.#game.board.isWon && !this.#hand.isCounted;
    const before = isFirstWin ? this.#count(true) : null;
    this.#showOutcome(before);
  }

  /** @param {boolean} isWon @returns {import("./statistics.js").Figures} as they were before */
  #count(isWon) {
    this.#hand.isCounted = true;
    this.#save();
    return count(this.#hand.rules, { isWon, elapsedMs: this.#watch.elapsedMs, moves: this.#game.board.moves });
  }

  /** @param {import("./statistics.js").Figures | null} [before] where this win counts: the figures before it */
  #showOutcome(before = null) {
    const actions = {
      newDeal: () => openDealDialog(this),
      restart: () => this.#restart(),
      undo: () => this.#game.undo(),
      close: () => this.#game.hideOutcome(),
    };
    this.#game.showOutcome(...outcomeOf(this.#game.board, this.#hand, before, actions));
  }

  #togglePause() {
    if (!this.#isOver) this.#game.isPaused = !this.#game.isPaused;
  }

  #paused() {
    const { isPaused } = this.#game;
    find("pause").setAttribute("aria-pressed", String(isPaused));
    if (isPaused) this.#watch.stop();
    else this.#resumeWatch();
    this.#save();
  }

  /** Nobody plays a page that cannot be seen. */
  #lookedAway() {
    if (!document.hidden) return this.#resumeWatch();
    this.#watch.stop();
    this.#save();
  }

  #resumeWatch() {
    const isWaiting = this.#isOver || this.#game.isPaused || !this.#game.board.log.length;
    if (!isWaiting) this.#watch.start();
  }

  async #askToRestart() {
    const isUnderWay = this.#game.board.log.length > 0 && !this.#isOver;
    if (!isUnderWay || (await ask("Start this deal over?", "Your moves on it are forgotten.", "Start over", "Play on"))) {
      this.#restart();
    }
  }

  #restart() {
    const hand = { ...this.#hand, log: [], elapsedMs: 0 };
    this.#game.deal({ ...hand, rules: rulesOf(hand) });
    this.#take(hand);
  }
}

/** @param {Practice} practice */
function openDealDialog(practice) {
  const { hand } = practice;
  find("deal-warning").hidden = !practice.isLostByLeaving;
  field("rules").value = hand.rules;
  showSummary();
  find("named-problem").textContent = "";
  field("link").value = new URL(linkTo(hand), location.href).href;
  find("copied").textContent = hand.code || hand.day ? "" : "This deal has no code, so no link can name it.";
  dialog("deal-dialog").showModal();
}

function showSummary() {
  find("rules-summary").textContent = ruleSets.get(field("rules").value)?.summary ?? "";
}

/** @param {Practice} practice */
function listenToDialogs(practice) {
  find("new-deal").addEventListener("click", () => openDealDialog(practice));
  find("rules").addEventListener("change", showSummary);
  find("deal-form").addEventListener("submit", (event) => void deal(practice, event));
  find("copy").addEventListener("click", () => void copyLink());
  find("statistics").addEventListener("click", () => showStatistics(practice.hand.rules));
  find("reset").addEventListener("click", () => void reset());
  find("problem-close").addEventListener("click", () => tell(""));
}

/** @param {Practice} practice @param {SubmitEvent} event */
async function deal(practice, event) {
  event.preventDefault();
  // Enter in the field means the field.
  const isByEnter = document.activeElement === find("named");
  const how = isByEnter ? "named" : /** @type {HTMLButtonElement} */ (event.submitter).value;
  const rules = field("rules").value;
  try {
    const hand = how === "same" ? { ...practice.hand, rules } : { ...(await dealt(how)), rules };
    tell("");
    dialog("deal-dialog").close();
    practice.leaveFor(fresh(hand));
  } catch (error) {
    find("named-problem").textContent = complaint(error);
    find("named").focus();
  }
}

/** @param {string} how @returns {Promise<{deck: string, code: string | null}>} */
function dealt(how) {
  return how === "named" ? dealNamed(field("named").value) : randomDeal();
}

/**
 * A deal before its first move.
 *
 * @param {{deck: string, code: string | null, rules: string, day?: string | null, best?: number | null}} deal
 * @returns {Hand}
 */
function fresh({ deck, code, rules, day = null, best = null }) {
  return { deck, code, day, best, rules, log: [], elapsedMs: 0, isStarted: false, isCounted: false };
}

async function copyLink() {
  const link = field("link");
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    find("copied").textContent = "Copied.";
  } catch {
    find("copied").textContent = "This browser does not let the page copy; the link is selected, copy it by hand.";
  }
}

async function reset() {
  const isSure = await ask("Reset the statistics?", "Those of all rule sets are erased, for good.", "Erase them", "Keep them");
  if (!isSure) return;
  forgetStatistics();
  showStatistics(field("statistics-rules").value);
}

/**
 * The deal that the address asks for, null where it asks for none.
 *
 * @param {Hand | null} saved
 * @returns {Promise<Hand | null>}
 */
async function asked(saved) {
  const address = new URLSearchParams(location.search);
  const named = address.get("deal") ?? address.get("code");
  const slug = address.get("rules");
  if (slug !== null && !ruleSets.has(slug)) throw new BadCode("malformed_code", slug, `There is no rule set “${slug.slice(0, 40)}”.`);
  if (page.day) return fresh({ ...page.day, code: page.day.code || null, rules: slug ?? page.day.rules, day: page.day.date });
  if (address.has("day") && !page.refusal) throw new BadCode("malformed_code", "", "The deal of that day could not be loaded. Try again when you are online.");
  const rules = slug ?? saved?.rules ?? page.rules[0].slug;
  if (named !== null) return fresh({ ...(await dealNamed(named)), rules });
  return slug === null || slug === saved?.rules ? null : fresh({ ...(await randomDeal()), rules });
}

async function begin() {
  const saved = readHand(ruleSets);
  const wanted = await asked(saved).catch((error) => tell(complaint(error)));
  const here = saved ?? wanted ?? fresh({ ...(await randomDeal()), rules: page.rules[0].slug });
  const practice = new Practice(here);
  listenToDialogs(practice);
  if (wanted && !isSameDeal(wanted, here) && (await mayLeave(practice))) practice.leaveFor(wanted);
}

/** @param {Practice} practice */
async function mayLeave(practice) {
  if (!practice.isLostByLeaving) return true;
  const text = "You have one under way. It counts as lost if you leave it for the deal of this link.";
  return ask("Leave your deal?", text, "Play the link's deal", "Go on with mine");
}

/** @param {Hand} one @param {Hand} other */
function isSameDeal(one, other) {
  return one.deck === other.deck && one.rules === other.rules;
}

/** @param {unknown} error */
function complaint(error) {
  if (error instanceof BadCode || error instanceof NotSecure) return error.message;
  throw error;
}

/** Say what is wrong above the table. @param {string} text @returns {null} */
function tell(text) {
  const problem = find("problem");
  /** @type {HTMLElement} */ (problem.firstElementChild).textContent = text;
  problem.hidden = !text;
  return null;
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
function ask(title, text, yes, no) {
  for (const [id, words] of [["ask-title", title], ["ask-text", text], ["ask-yes", yes], ["ask-no", no]]) find(id).textContent = words;
  const asking = dialog("ask");
  asking.returnValue = "no";
  asking.showModal();
  return new Promise((resolve) => asking.addEventListener("close", () => resolve(asking.returnValue === "yes"), { once: true }));
}

/** The address of a deal, relative to this page. @param {Hand} hand */
function linkTo({ code, day, rules }) {
  const name = day ? [["day", day]] : code ? [["deal", code]] : [];
  return `?${new URLSearchParams([...name, ["rules", rules]])}`;
}

/** @param {Hand} hand @returns {Rules} */
function rulesOf({ rules }) {
  return /** @type {Rules} */ (ruleSets.get(rules));
}

/** @param {string} id @returns {HTMLElement} */
function find(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} id */
function field(id) {
  return /** @type {HTMLInputElement} */ (find(id));
}

/** @param {string} id */
function dialog(id) {
  return /** @type {HTMLDialogElement} */ (find(id));
}

void begin();
