/**
 * The replay of a run: the table plays its log, beside it the best line.
 *
 * A step is how many moves are made, from 0 to the length of the log; `#move=37` in the address is a step.
 *
 * @module
 */

import { call } from "./api.js";
import { cardsOf } from "./cards.js";
import { Board } from "./rules.js";
import { Table } from "./table.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{day: string, rules: Rules, log: string[], deck: string | null, best: string[]}} Data */
/** @typedef {"run" | "best" | "both"} Shown */

/** Milliseconds from move to move at single speed; what real time a move took nobody keeps. */
const PACE_MS = 700;
/** Above this speed cards would still be on their way when the next ones go. */
const FASTEST_ANIMATED = 2;
const WIDE = matchMedia("(min-width: 64rem)");

/** One log on one table. */
class Course {
  #board;
  #table;

  /** @param {HTMLElement} root @param {string} deck @param {Rules} rules @param {string[]} log */
  constructor(root, deck, rules, log) {
    this.root = root;
    this.deck = deck;
    this.rules = rules;
    this.log = log;
    this.#board = new Board(deck, rules);
    this.#table = new Table(part(root, ".table"), { isReadOnly: true });
  }

  /** @param {number} step @param {boolean} animate */
  show(step, animate) {
    const made = Math.min(step, this.log.length);
    if (made < this.#board.log.length) this.#board = new Board(this.deck, this.rules);
    for (const move of this.log.slice(this.#board.log.length, made)) this.#board.play(move);
    this.#table.show(this.#board, { animate });
    this.#table.mark(marksOf(this.log[made]));
    this.#showFigures();
  }

  #showFigures() {
    const { cleared, moves, pass, points, rules } = this.#board;
    const figures = { cleared, moves, pass, points, passes: rules.passes === null ? "" : `/${rules.passes}` };
    for (const [name, value] of Object.entries(figures)) {
      part(this.root, `[data-figure="${name}"]`).textContent = String(value);
    }
    const hasPoints = rules.points_per_pair + rules.points_per_king + rules.points_per_pyramid_card > 0;
    /** @type {HTMLElement} */ (part(this.root, '[data-figure="points"]').parentElement).hidden = !hasPoints;
  }

  get cleared() {
    return this.#board.cleared;
  }
}

/** What to mark for the move that comes next: its cards, or the stock. @param {string | undefined} move */
function marksOf(move) {
  if (!move || move === "U") return [];
  return move.length === 1 ? [move] : cardsOf(move);
}

/** Plays, and shows where it is. */
class Player {
  #step = 0;
  #timer = 0;
  /** @type {Shown} */
  #shown = "run";
  /** @type {Record<string, HTMLElement[]>} */
  #items;
  #root;

  /** @param {HTMLElement} root @param {Course} run @param {Course | null} best */
  constructor(root, run, best) {
    this.#root = root;
    this.run = run;
    this.best = best;
    this.slider = /** @type {HTMLInputElement} */ (part(root, "#step"));
    this.said = part(root, "#said");
    this.speed = /** @type {HTMLSelectElement} */ (part(root, "#speed"));
    this.playButton = part(root, '[data-do="play"]');
    this.#items = { run: itemsOf(root, "run"), best: itemsOf(root, "best") };
    this.#listen();
    this.shows(best && WIDE.matches ? "both" : "run");
  }

  /** How many moves what is shown has. */
  get length() {
    const lengths = { run: this.run.log.length, best: this.best?.log.length ?? 0 };
    return this.#shown === "both" ? Math.max(lengths.run, lengths.best) : lengths[this.#shown];
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  /** Go to a step. @param {number} step */
  goTo(step) {
    const target = Math.min(Math.max(Math.trunc(step) || 0, 0), this.length);
    const animate = Math.abs(target - this.#step) === 1 && Number(this.speed.value) <= FASTEST_ANIMATED;
    this.#step = target;
    for (const course of this.#courses()) course.show(target, animate);
    this.#showStep();
  }

  play() {
    // On a small screen the controls are in sight before the cards are.
    part(this.#root, ".replay-boards").scrollIntoView({ block: "nearest" });
    if (this.#step >= this.length) this.goTo(0);
    this.#setPlaying(true);
  }

  pause() {
    this.#setPlaying(false);
    history.replaceState(null, "", `#${this.#shown === "best" ? "best" : "move"}=${this.#step}`);
  }

  /** @param {boolean} isPlaying */
  #setPlaying(isPlaying) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.playButton.classList.toggle("is-playing", isPlaying);
    this.said.setAttribute("aria-live", isPlaying ? "off" : "polite");
    if (isPlaying) this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      this.goTo(this.#step + 1);
      if (this.#step < this.length) this.#wait();
      else this.pause();
    }, PACE_MS / Number(this.speed.value));
  }

  /** Show one line or both. @param {Shown} shown */
  shows(shown) {
    this.#shown = shown;
    this.#root.dataset.shows = shown;
    this.slider.max = String(this.length);
    for (const button of this.#root.querySelectorAll("button[data-shows]")) {
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.shows === shown));
    }
    this.goTo(this.#step);
  }

  /** @returns {Course[]} */
  #courses() {
    const [run, best] = [[this.run], this.best ? [this.best] : []];
    return { run, best, both: [...run, ...best] }[this.#shown];
  }

  #showStep() {
    this.slider.value = String(this.#step);
    this.slider.setAttribute("aria-valuetext", `Move ${this.#step} of ${this.length}`);
    this.said.textContent = this.#words();
    for (const items of Object.values(this.#items)) markCurrent(items, this.#step);
  }

  #words() {
    const cleared = this.#courses().map((course) => `${course.cleared} cleared`);
    const where = this.#step ? `Move ${this.#step} of ${this.length}: ${this.#wordsOfMove()}` : "The deal";
    return `${where} · ${cleared.join(" · best line: ")}`;
  }

  #wordsOfMove() {
    const items = this.#shown === "best" ? this.#items.best : this.#items.run;
    return items[this.#step - 1]?.querySelector(".words")?.textContent ?? "the end";
  }

  /** Go where the address says. */
  follow() {
    const [, line, step] = /^#(move|best)=(\d+)$/.exec(location.hash) ?? [];
    if (!step) return;
    if (line === "best" && this.best && this.#shown === "run") this.shows("best");
    if (line === "move" && this.#shown === "best") this.shows("run");
    this.#stay(Number(step));
  }

  /** Stop, and stand there. @param {number} step */
  #stay(step) {
    if (this.isPlaying) this.#setPlaying(false);
    this.goTo(step);
  }

  /** @param {string | undefined} action */
  act(action) {
    if (action === "play") return this.isPlaying ? this.pause() : this.play();
    const targets = /** @type {Record<string, number>} */ ({ start: 0, back: this.#step - 1, forward: this.#step + 1, end: this.length });
    if (action && action in targets) this.#stay(targets[action]);
  }

  #listen() {
    this.#root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button?.dataset.shows) this.shows(/** @type {Shown} */ (button.dataset.shows));
      else this.act(button?.dataset.do);
    });
    this.slider.addEventListener("input", () => this.#stay(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("hashchange", () => this.follow());
    WIDE.addEventListener("change", () => {
      if (!WIDE.matches && this.#shown === "both") this.shows("run");
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const action = { " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || isForItself(event)) return;
    event.preventDefault();
    this.act(action);
  }
}

/** Whether what has the focus takes this key itself. @param {KeyboardEvent} event */
function isForItself({ target, key }) {
  const taking = key === " " ? "a, button, input, select" : "input, select";
  return /** @type {HTMLElement} */ (target).closest(taking) !== null;
}

/** @param {HTMLElement} root @param {string} line @returns {HTMLElement[]} */
function itemsOf(root, line) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(`.replay-lists [data-of="${line}"] li`))];
}

/** Mark the move that led to a step, and bring it into sight within its list. @param {HTMLElement[]} items @param {number} step */
function markCurrent(items, step) {
  const item = items[step - 1];
  for (const other of items) {
    if (other !== item) other.removeAttribute("aria-current");
  }
  item?.setAttribute("aria-current", "step");
  const list = items[0]?.parentElement;
  if (!list) return;
  const top = item ? item.offsetTop - list.clientHeight / 2 : 0;
  list.scrollTo({ top });
}

/** @param {ParentNode} root @param {string} selector */
function part(root, selector) {
  return /** @type {HTMLElement} */ (root.querySelector(selector));
}

/** The deck of an own run whose day is not settled is where it was at the start of the attempt. @param {Data} data */
async function deckOf(data) {
  if (data.deck) return data.deck;
  const attempt = await call("POST", `/api/v1/challenges/${data.day}/attempts/`, {});
  return attempt.deck;
}

/** Let links to moves move the table, and not the page. @param {HTMLElement} root */
function keepStill(root) {
  for (const item of root.querySelectorAll(".move-list [id]")) item.removeAttribute("id");
  if (location.hash) scrollTo(0, 0);
}

async function begin() {
  const root = part(document, "#replay");
  /** @type {Data} */
  const data = JSON.parse(part(document, "#replay-data").textContent ?? "");
  part(root, "#player").hidden = false;
  try {
    const deck = await deckOf(data);
    const course = (/** @type {string} */ line, /** @type {string[]} */ log) =>
      new Course(part(root, `.replay-board[data-of="${line}"]`), deck, data.rules, log);
    const player = new Player(root, course("run", data.log), data.best.length ? course("best", data.best) : null);
    root.classList.add("is-playable");
    keepStill(root);
    player.follow();
  } catch (error) {
    const problem = part(root, "#replay-problem");
    problem.textContent = `The deal could not be fetched. ${/** @type {Error} */ (error).message} Reload the page to try again.`;
    problem.hidden = false;
  }
}

begin();
