/**
 * A game being played: a board, its table, and what goes with playing it, from keys to announcements.
 *
 * @module
 */

import { nameOf } from "./cards.js";
import { inClockFigures } from "./clock.js";
import { isArrow, isForTable, towards } from "./keys.js";
import { applyOptions, bindOptions, readOptions } from "./options.js";
import { Board, IllegalMove, replay, valueOf } from "./rules.js";
import { Table } from "./table.js";
import { cleared, culpritsOf, explained, subjectsOf, told } from "./words.js";

/** @typedef {{deck: string, rules: import("./rules.js").Rules, log?: string[]}} Deal */

/**
 * Dispatches `move` after each move, `over` when one has won or left nothing to do, and `dead-end` when a whole
 * trip through an endless stock has shown that nothing more can be cleared without an undo.
 */
export class Game extends EventTarget {
  #root;
  #table;
  #board;
  #options = readOptions();
  #isFrozen = false;
  #isPaused = false;
  /** Draws and redeals since something else happened. */
  #idleMoves = 0;

  /**
   * @param {HTMLElement} root the element of `web/table.html`
   * @param {Deal} deal
   */
  constructor(root, deal) {
    super();
    this.#root = root;
    this.#table = new Table(root, {
      onMove: (move) => this.play(move),
      onRefused: (refusal) => this.#refuse(refusal),
      onPicked: (card) => this.#say(card ? `Picked the ${nameOf(card)}.` : ""),
      options: this.#options,
    });
    this.#board = boardOf(deal);
    this.#listen();
    this.deal(deal);
  }

  /** The board as it stands. */
  get board() {
    return this.#board;
  }

  /** The table that shows it. */
  get table() {
    return this.#table;
  }

  /** Put another deal on the table. @param {Deal} deal @throws {IllegalMove} by a log that is none of this deal */
  deal(deal) {
    this.#board = boardOf(deal);
    this.#idleMoves = 0;
    this.hideOutcome();
    this.#slot("rules", this.#board.rules.summary);
    this.#show({ animate: false });
    this.#say(this.#board.log.length ? cleared(this.#board) : "");
  }

  /** Make a move; one that the rules refuse is explained. @param {string} move @returns {boolean} whether it was made */
  play(move) {
    if (this.#isFrozen || this.#isPaused) return false;
    try {
      this.#board.play(move);
    } catch (error) {
      if (!(error instanceof IllegalMove)) throw error;
      this.#refuse(error);
      return false;
    }
    this.#moved(move);
    return true;
  }

  /** Take the last move back. */
  undo() {
    return this.play("U");
  }

  /** Whether no more moves are taken. */
  get isFrozen() {
    return this.#isFrozen;
  }

  set isFrozen(isFrozen) {
    this.#isFrozen = isFrozen;
    this.#table.isFrozen = isFrozen || this.#isPaused;
    this.#showControls();
  }

  /** Whether the cards are hidden and no moves are taken; a change is told by `pause`. */
  get isPaused() {
    return this.#isPaused;
  }

  set isPaused(isPaused) {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#table.isFrozen = isPaused || this.#isFrozen;
    this.#root.classList.toggle("is-paused", isPaused);
    this.#part(".cards").inert = isPaused;
    this.#part(".curtain").hidden = !isPaused;
    this.#showControls();
    if (isPaused) this.#control("resume").focus();
    this.dispatchEvent(new CustomEvent("pause"));
  }

  /** Show how long the game has taken. @param {number} elapsedMs */
  showTime(elapsedMs) {
    this.#slot("time", inClockFigures(elapsedMs - (elapsedMs % 1000)));
  }

  /**
   * Lay a panel over the table that says how the game ended; what stands in it is the owner's.
   *
   * It goes away with the next move, an undo included.
   *
   * @param {...(Node | string)} content
   */
  showOutcome(...content) {
    const outcome = this.#part(".outcome");
    outcome.replaceChildren(...content);
    outcome.classList.toggle("is-won", this.#board.isWon);
    outcome.hidden = false;
    this.#root.classList.add("is-over");
    outcome.focus({ preventScroll: true });
  }

  hideOutcome() {
    this.#part(".outcome").hidden = true;
    this.#root.classList.remove("is-over");
  }

  /** Say something in the status line, to everybody. @param {string} text @param {{isProblem?: boolean}} [how] */
  say(text, how) {
    this.#say(text, how);
  }

  /** @param {string} move */
  #moved(move) {
    const isIdle = move === "D" || move === "R";
    this.#idleMoves = isIdle ? this.#idleMoves + 1 : 0;
    this.hideOutcome();
    this.#show();
    this.#say(`${told(this.#board, move)}${this.#end()}`);
    this.dispatchEvent(new CustomEvent("move", { detail: { move } }));
    if (this.#board.isWon || this.#board.isStuck) this.dispatchEvent(new CustomEvent("over"));
    else if (this.isDeadEnd) this.dispatchEvent(new CustomEvent("dead-end"));
  }

  /**
   * Whether the player has seen every card of an endless stock pass by with nothing to clear.
   *
   * By the rules such a game is not stuck, because another redeal is always legal.
   */
  get isDeadEnd() {
    const { passesLeft, stock, waste, isWon } = this.#board;
    if (isWon || passesLeft !== null || this.#idleMoves <= stock.length + waste.length) return false;
    return !this.#board.exposed.some((card) => canEverGo(this.#board, card));
  }

  #end() {
    if (this.#board.isWon) return " You have won!";
    if (this.#board.isStuck) return ` Stuck: no move is left.${this.#board.canUndo ? " An undo may help." : ""}`;
    return this.isDeadEnd ? " Nothing in the stock goes with an exposed card any more; only an undo can help." : "";
  }

  /** @param {{animate?: boolean}} [how] */
  #show(how) {
    this.#table.show(this.#board, how);
    const { cleared: gone, moves, points, pass, rules } = this.#board;
    this.#slot("cleared", String(gone));
    this.#slot("moves", String(moves));
    this.#slot("pass", String(pass));
    this.#slot("passes", rules.passes === null ? "" : `/${rules.passes}`);
    if (hasPoints(rules)) this.#slot("points", String(points));
    else this.#figure("points").hidden = true;
    this.#showControls();
  }

  #showControls() {
    const isIdle = this.#isFrozen || this.#isPaused;
    // Marked and not disabled: a disabled button loses the focus, and a wrong press explains itself.
    this.#control("undo").setAttribute("aria-disabled", String(isIdle || !this.#board.canUndo));
    this.#control("draw").setAttribute("aria-disabled", String(isIdle || !(this.#board.canDraw || this.#board.canRedeal)));
    this.#slot("draw", this.#board.stock.length || !this.#board.canRedeal ? "Draw" : "Redeal");
  }

  /** @param {IllegalMove} refusal */
  #refuse(refusal) {
    this.#table.shake(subjectsOf(this.#board, refusal));
    if (!this.#options.help) return this.#say("");
    this.#table.flash(culpritsOf(this.#board, refusal));
    this.#say(explained(this.#board, refusal), { isProblem: true });
  }

  /** @param {string} text @param {{isProblem?: boolean}} [how] */
  #say(text, { isProblem = false } = {}) {
    const status = this.#part(".table-status");
    status.classList.toggle("is-problem", isProblem);
    // The same words twice are news only if something changes; nobody hears or sees the space.
    status.textContent = status.textContent === text && text ? `${text}\u00a0` : text;
  }

  #listen() {
    applyOptions(this.#options);
    bindOptions(/** @type {HTMLFormElement} */ (this.#part(".table-options form")), this.#options);
    document.addEventListener("keydown", (event) => isForTable(event) && this.#key(event));
    /** @type {Record<string, () => unknown>} */
    const doers = {
      undo: () => this.undo(),
      draw: () => this.play(this.#board.stock.length ? "D" : "R"),
      options: () => this.#open(".table-options"),
      help: () => this.#open(".table-help"),
      resume: () => (this.isPaused = false),
    };
    for (const [name, run] of Object.entries(doers)) this.#control(name).addEventListener("click", run);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isArrow(event.key)) return this.#go(event);
    /** @type {Record<string, () => unknown>} */
    const keys = {
      d: () => this.play("D"),
      r: () => this.play("R"),
      u: () => this.undo(),
      "?": () => this.#open(".table-help"),
      escape: () => this.#putDown(),
      // A key that is held down means one card, not each one that gets the focus.
      enter: () => event.repeat && event.preventDefault(),
    };
    keys[event.key.toLowerCase()]?.();
  }

  #putDown() {
    if (!this.#table.picked) return;
    this.#table.pick(null);
    this.#say("");
  }

  /** @param {KeyboardEvent} event */
  #go(event) {
    const reachable = this.#table.reachable;
    const here = reachable.find((element) => element === document.activeElement);
    const isElsewhere = document.activeElement !== document.body && !this.#part(".cards").contains(document.activeElement);
    if (isElsewhere || this.#isPaused) return;
    event.preventDefault();
    const next = here ? towards(event.key, here, reachable) : reachable.find((element) => element.tabIndex === 0);
    next?.focus({ preventScroll: true });
  }

  /** @param {string} dialog */
  #open(dialog) {
    /** @type {HTMLDialogElement} */ (this.#part(dialog)).showModal();
  }

  /** @param {string} selector */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(selector));
  }

  /** @param {string} name */
  #control(name) {
    return this.#part(`[data-do="${name}"]`);
  }

  /** @param {string} name */
  #figure(name) {
    const slot = this.#part(`[data-figure="${name}"]`);
    return /** @type {HTMLElement} */ (slot.closest(".table-figures > div") ?? slot);
  }

  /** @param {string} name @param {string} text */
  #slot(name, text) {
    this.#figure(name).hidden = false;
    const slot = this.#part(`[data-figure="${name}"]`);
    if (slot.textContent !== text) slot.textContent = text;
  }
}

/** @param {Deal} deal */
function boardOf({ deck, rules, log = [] }) {
  return log.length ? replay(deck, rules, log) : new Board(deck, rules);
}

/** @param {import("./rules.js").Rules} rules */
function hasPoints(rules) {
  return rules.points_per_pyramid_card + rules.points_per_pair + rules.points_per_king > 0;
}

/** Whether an exposed card can go with anything, now or after drawing. @param {Board} board @param {string} card */
function canEverGo(board, card) {
  if (!board.refusalOf(card) || board.partnersOf(card).length) return true;
  return [...board.stock, ...board.waste].some((other) => valueOf(card) + valueOf(other) === 13);
}
