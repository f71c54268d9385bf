/**
 * What a screen reader says of each card of a board, and of the stock.
 *
 * @module
 */

import { capitalized, nameOf, namesOf } from "./cards.js";
import { ROW_OF } from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */

/**
 * The cards that can be seen, each with its name and where it lies.
 *
 * @param {Board} board
 * @returns {Map<string, string>}
 */
export function labelsOf(board) {
  const labels = new Map();
  const label = (/** @type {string} */ card, /** @type {string} */ place) => labels.set(card, `${capitalized(nameOf(card))}, ${place}`);
  board.pyramid.forEach((card, place) => card && label(card, inPyramid(board, card, place)));
  board.waste.forEach((card, place) => label(card, inWaste(board, place)));
  if (board.stock.length) label(board.stock[0], "next in the stock");
  return labels;
}

/** The stock, and what a tap on it does. @param {Board} board */
export function labelOfPile(board) {
  const count = board.stock.length;
  if (count) return `Stock, ${count} ${count > 1 ? "cards" : "card"}. Draw`;
  if (board.canRedeal) return `Stock, empty. Redeal${passesLeft(board)}`;
  return `Stock, empty, ${board.waste.length ? "no pass left" : "nothing to redeal"}`;
}

/** @param {Board} board */
function passesLeft({ passesLeft: left }) {
  return left === null ? "" : `, ${left} ${left === 1 ? "pass" : "passes"} left`;
}

/** @param {Board} board @param {string} card @param {number} place */
function inPyramid(board, card, place) {
  const covers = board.coversOf(card);
  return `row ${ROW_OF[place] + 1}, ${covers.length ? `covered by ${namesOf(covers)}` : "exposed"}`;
}

/** @param {Board} board @param {number} place */
function inWaste({ waste }, place) {
  const above = waste[place + 1];
  return above ? `in the waste under the ${nameOf(above)}` : "top of the waste";
}
