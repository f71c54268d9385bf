/**
 * Cards in words and as drawings. A card is its two characters, rank and suit: `"TC"` is the ten of clubs.
 *
 * @module
 */

import { valueOf } from "./rules.js";

const RANK_NAMES = "ace two three four five six seven eight nine ten jack queen king".split(" ");
const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} card */
export function isKing(card) {
  return card[0] === "K";
}

/** A card in words, `"ten of clubs"`. @param {string} card */
export function nameOf(card) {
  const suit = /** @type {keyof typeof SUIT_NAMES} */ (card[1]);
  return `${RANK_NAMES[valueOf(card) - 1]} of ${SUIT_NAMES[suit]}`;
}

/** Cards in words, `"ten of clubs and two of hearts"`. @param {string[]} cards */
export function namesOf(cards) {
  return cards.map(nameOf).join(" and ");
}

/** The rank of a card as people count with it: `"7"`, `"jack (11)"`. @param {string} card */
export function countOf(card) {
  const value = valueOf(card);
  return value > 1 && value < 11 ? String(value) : `${RANK_NAMES[value - 1]} (${value})`;
}

/** @param {string} text */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The cards that a move removes, none for other moves. @param {string} move */
export function cardsOf(move) {
  return move.length > 1 ? [move.slice(0, 2), move.slice(2)].filter(Boolean) : [];
}

/**
 * A drawing that the symbols of the page have: a card, or `"back"`.
 *
 * @param {string} symbol the symbol's id
 */
export function drawingOf(symbol) {
  const drawing = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  drawing.setAttribute("viewBox", "0 0 60 84");
  drawing.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${symbol}`);
  drawing.append(use);
  return drawing;
}
