/**
 * The drawn table: shows a board in the markup of `web/table.html`, and turns taps and drags into moves.
 *
 * Each of the 52 cards is one element for the whole of a deal, so that it can move from place to place; where
 * the places are is for the style sheet to say.
 *
 * @module
 */

import { drawingOf } from "./cards.js";
import { Dragging } from "./drag.js";
import { labelOfPile, labelsOf } from "./labels.js";
import { DEFAULTS } from "./options.js";
import { canPick, second, tap } from "./picks.js";
import { PYRAMID_SIZE, ROW_OF } from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").IllegalMove} IllegalMove */

/**
 * @typedef {object} Listeners
 * @property {(move: string) => void} [onMove] a legal move was made with the cards
 * @property {(refusal: IllegalMove) => void} [onRefused] a tap or a drop made no move
 * @property {(card: string | null) => void} [onPicked] a card was picked up, or put down
 * @property {import("./options.js").Options} [options] read at each tap
 * @property {boolean} [isReadOnly] only show
 */

export class Table {
  /** @type {Board | null} */
  #board = null;
  #deck = "";
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  /** @type {string | null} */
  #picked = null;
  #cards;
  #pile;
  #listeners;
  isFrozen = false;

  /**
   * @param {HTMLElement} root the element of `web/table.html`
   * @param {Listeners} [listeners]
   */
  constructor(root, listeners = {}) {
    this.root = root;
    this.#listeners = listeners;
    this.#cards = /** @type {HTMLElement} */ (root.querySelector(".cards"));
    this.#pile = this.#make("pile");
    this.#pile.append(drawingOf("back"), labelled("pile-count"), labelled("pile-sign"));
    if (!listeners.isReadOnly) this.#listen();
  }

  /**
   * Show a board, from now on.
   *
   * @param {Board} board
   * @param {{animate?: boolean}} [how]
   */
  show(board, { animate = true } = {}) {
    const isNewDeal = board.deck !== this.#deck;
    this.#board = board;
    if (isNewDeal) this.#lay(board.deck);
    this.#cards.classList.toggle("is-still", !animate || isNewDeal);
    this.pick(null);
    const hadFocus = this.#cards.contains(document.activeElement);
    this.#place(board);
    this.#label(board);
    if (hadFocus) this.#keepFocus();
    this.#cards.dispatchEvent(new CustomEvent("shown"));
  }

  /** The card that is picked up. */
  get picked() {
    return this.#picked;
  }

  /** Pick a card up, or with null put it down. @param {string | null} card */
  pick(card) {
    if (this.#picked) this.element(this.#picked)?.classList.remove("is-picked");
    if (this.#picked) this.element(this.#picked)?.setAttribute("aria-pressed", "false");
    this.#picked = card;
    if (!card) return;
    this.element(card)?.classList.add("is-picked");
    this.element(card)?.setAttribute("aria-pressed", "true");
  }

  /** Mark the cards of a move, or the stock for `D` and `R`; those marked before no longer are. @param {string[]} names */
  mark(names) {
    for (const marked of this.#cards.querySelectorAll(".is-marked")) marked.classList.remove("is-marked");
    for (const name of names) this.element(name)?.classList.add("is-marked");
  }

  /** Let cards light up for a moment, as what is in the way. @param {string[]} cards */
  flash(cards) {
    for (const card of cards) replay(this.element(card), "is-flashing");
  }

  /** Let cards, or the stock for `D` and `R`, shake their heads. @param {string[]} names */
  shake(names) {
    for (const name of names) replay(this.element(name), "is-shaking");
  }

  /** The element of a card, or of the stock for `D` and `R`. @param {string} name */
  element(name) {
    return name.length === 1 ? this.#pile : this.#elements.get(name);
  }

  /** What can be reached by keys: the cards that can be picked, and the stock. @returns {HTMLElement[]} */
  get reachable() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.#cards.querySelectorAll(".is-in-play")), this.#pile];
  }

  /** @param {HTMLElement} element the only one of the table that Tab stops at */
  letTabStopAt(element) {
    for (const other of this.#cards.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    element.tabIndex = 0;
  }

  /** The tap on a card, or on the stock. @param {HTMLElement} element */
  #tapped(element) {
    const [board, card] = [this.#board, element.dataset.card];
    if (!board || this.isFrozen) return;
    if (card) this.#act(tap(board, this.#picked, card, this.#listeners.options ?? DEFAULTS));
    else this.#turn(board);
  }

  /** Draw, or redeal where nothing can be drawn. @param {Board} board */
  #turn(board) {
    const move = board.stock.length ? "D" : "R";
    const refusal = board.refusalOf(move);
    if (refusal) this.#listeners.onRefused?.(refusal);
    else this.#listeners.onMove?.(move);
  }

  /** @param {import("./picks.js").Pick} pick */
  #act(pick) {
    if ("move" in pick) return this.#listeners.onMove?.(pick.move);
    this.pick(pick.picked);
    if ("refusal" in pick) return this.#listeners.onRefused?.(pick.refusal);
    return this.#listeners.onPicked?.(pick.picked);
  }

  #listen() {
    this.#cards.addEventListener("click", (event) => {
      const element = /** @type {HTMLElement} */ (event.target).closest("button");
      if (element) this.#tapped(element);
    });
    this.#cards.addEventListener("focusin", (event) => {
      const element = /** @type {HTMLElement} */ (event.target);
      if (this.reachable.includes(element)) this.letTabStopAt(element);
    });
    new Dragging(this.#cards, {
      canLift: (card) => !this.isFrozen && this.#board !== null && canPick(this.#board, card),
      targetsOf: (card) => this.#board?.partnersOf(card) ?? [],
      element: (card) => /** @type {HTMLElement} */ (this.element(card)),
      onDrop: (card, onto) => this.#dropped(card, onto),
    });
  }

  /** @param {string} card @param {string | null} onto null for the bare table, where only a King may go */
  #dropped(card, onto) {
    if (!this.#board || this.isFrozen) return;
    if (onto) this.#act(second(this.#board, card, onto));
    else if (!this.#board.refusalOf(card)) this.#act({ move: card });
    if (this.#picked) this.pick(null);
  }

  /** Lay out another deal. @param {string} deck */
  #lay(deck) {
    this.#deck = deck;
    this.#elements.clear();
    const cards = deck.split(" ").map((card, place) => this.#card(card, place));
    this.#cards.replaceChildren(...cards.slice(0, PYRAMID_SIZE), this.#pile, ...cards.slice(PYRAMID_SIZE));
  }

  /** @param {string} card @param {number} place */
  #card(card, place) {
    const element = this.#make("card");
    element.dataset.card = card;
    element.append(drawingOf(`card-${card}`));
    this.#elements.set(card, element);
    element.dataset.where = place < PYRAMID_SIZE ? "pyramid" : "stock";
    if (place < PYRAMID_SIZE) setPyramidPlace(element, place);
    return element;
  }

  /** @param {string} className */
  #make(className) {
    const element = document.createElement(this.#listeners.isReadOnly ? "div" : "button");
    if (element instanceof HTMLButtonElement) Object.assign(element, { type: "button", tabIndex: -1 });
    else element.setAttribute("role", "img");
    element.className = className;
    return element;
  }

  /** Put every card where it is. @param {Board} board */
  #place(board) {
    const left = new Set(board.pyramid.filter((card) => card !== null));
    board.waste.forEach((card, place) => this.#lieOnWaste(card, board.waste.length - 1 - place));
    board.stock.forEach((card) => this.#set(card, "stock"));
    for (const card of [...board.waste, ...board.stock]) left.add(card);
    for (const [card, element] of this.#elements) {
      element.classList.toggle("is-gone", !left.has(card));
      element.classList.toggle("is-in-play", left.has(card) && canPick(board, card));
      element.dataset.covers = left.has(card) ? String(board.coversOf(card).length) : "0";
    }
    const next = board.rules.stock_top_in_play ? board.stock[0] : undefined;
    for (const card of board.stock) this.element(card)?.classList.toggle("is-open", card === next);
    this.#cards.classList.toggle("has-open-stock", board.rules.stock_top_in_play);
    this.#showPile(board);
  }

  /** @param {string} card @param {number} under how many cards lie on it */
  #lieOnWaste(card, under) {
    const element = this.#set(card, "waste");
    element?.style.setProperty("--under", String(under));
    if (element) element.dataset.under = String(Math.min(under, 9));
  }

  /** @param {string} card @param {string} where */
  #set(card, where) {
    const element = this.element(card);
    if (element) element.dataset.where = where;
    return element;
  }

  /** @param {Board} board */
  #showPile(board) {
    const faceDown = board.stock.length - (board.rules.stock_top_in_play ? 1 : 0);
    this.#pile.classList.toggle("is-empty", faceDown <= 0);
    this.#pile.dataset.next = board.canDraw ? "draw" : board.canRedeal ? "redeal" : "nothing";
    const [count, sign] = this.#pile.querySelectorAll("span");
    count.textContent = String(board.stock.length);
    sign.textContent = { draw: "→", redeal: "↻", nothing: "×" }[this.#pile.dataset.next] ?? "";
  }

  /** Say of every card where it lies, for those who cannot see it. @param {Board} board */
  #label(board) {
    this.#pile.setAttribute("aria-label", labelOfPile(board));
    for (const [card, label] of labelsOf(board)) this.element(card)?.setAttribute("aria-label", label);
    if (this.#listeners.isReadOnly) return;
    const reachable = this.reachable;
    for (const element of this.#elements.values()) {
      if (!reachable.includes(element)) element.tabIndex = -1;
    }
    if (!reachable.some((element) => element.tabIndex === 0)) this.letTabStopAt(reachable[0]);
  }

  /** Where the card with the focus has gone, go to the one nearest to it. */
  #keepFocus() {
    const lost = /** @type {HTMLElement} */ (document.activeElement);
    if (this.reachable.includes(lost)) return;
    nearest(lost, this.reachable)?.focus({ preventScroll: true });
  }
}

/** @param {HTMLElement} element @param {number} place */
function setPyramidPlace(element, place) {
  const row = ROW_OF[place];
  element.style.setProperty("--row", String(row));
  element.style.setProperty("--column", String(place - (row * (row + 1)) / 2));
}

/** @param {string} className */
function labelled(className) {
  const element = document.createElement("span");
  element.className = className;
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** Run the animation of a class, from its start. @param {HTMLElement | undefined} element @param {string} className */
function replay(element, className) {
  if (!element) return;
  element.classList.remove(className);
  void element.offsetWidth;
  element.classList.add(className);
  element.addEventListener("animationend", () => element.classList.remove(className), { once: true });
}

/** @param {HTMLElement} from @param {HTMLElement[]} among */
function nearest(from, among) {
  const distance = (/** @type {HTMLElement} */ element) => {
    const [one, other] = [element.getBoundingClientRect(), from.getBoundingClientRect()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  return among.toSorted((one, other) => distance(one) - distance(other))[0];
}
