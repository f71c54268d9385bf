/**
 * What is said of a game: what a move did, and why one was refused.
 *
 * @module
 */

import { capitalized, cardsOf, countOf, nameOf, namesOf } from "./cards.js";
import { valueOf } from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").IllegalMove} IllegalMove */

/**
 * What a move has done, in a sentence or two.
 *
 * @param {Board} board as it is after the move
 * @param {string} move
 */
export function told(board, move) {
  if (move === "D") return `Drew the ${nameOf(board.waste[board.waste.length - 1])}.`;
  if (move === "R") return `Turned the waste over.${passes(board)}`;
  if (move === "U") return `Taken back. ${cleared(board)}`;
  return `${capitalized(namesOf(cardsOf(move)))} removed. ${cleared(board)}`;
}

/** @param {Board} board */
export function cleared(board) {
  return `${board.cleared} of 28 cleared.`;
}

/** @param {Board} board */
function passes({ pass, rules, passesLeft }) {
  if (passesLeft === null) return ` Pass ${pass}.`;
  return passesLeft ? ` Pass ${pass} of ${rules.passes}.` : ` Pass ${pass} of ${rules.passes}, the last one.`;
}

/**
 * Why a move is refused, in words for people.
 *
 * @param {Board} board
 * @param {IllegalMove} refusal
 */
export function explained(board, refusal) {
  const cards = cardsOf(refusal.move);
  switch (refusal.code) {
    case "covered":
      return covered(board, cards);
    case "not_thirteen":
      return capitalized(notThirteen(refusal.move));
    case "buried":
      return `The ${nameOf(buriedOf(board, cards))} lies in the waste under the ${nameOf(board.waste[board.waste.length - 1])}.`;
    case "stock_empty":
      return board.canRedeal ? "The stock is empty. Redeal turns the waste over." : "The stock is empty.";
    case "stock_not_empty":
      return `The stock still holds ${board.stock.length === 1 ? "a card" : `${board.stock.length} cards`}; draw first.`;
    case "nothing_to_redeal":
      return "Stock and waste are both empty.";
    case "no_passes_left":
      return `No passes are left: this was pass ${board.pass} of ${board.rules.passes}.`;
    case "nothing_to_undo":
      return board.moves && board.rules.undo_limit ? `Undo reaches back ${board.rules.undo_limit} moves.` : "There is nothing to undo.";
    case "game_over":
      return "This deal is won.";
    default:
      return refusal.message;
  }
}

/** The cards that are in the way of a refused move. @param {Board} board @param {IllegalMove} refusal */
export function culpritsOf(board, refusal) {
  const cards = cardsOf(refusal.move);
  if (refusal.code === "covered") return board.coversOf(coveredOf(board, cards));
  if (refusal.code === "buried") return board.waste.slice(-1);
  return [];
}

/** What a refused move was about: its cards, or itself. @param {Board} board @param {IllegalMove} refusal */
export function subjectsOf(board, refusal) {
  const cards = cardsOf(refusal.move);
  if (refusal.code === "covered") return [coveredOf(board, cards)];
  if (refusal.code === "buried") return [buriedOf(board, cards)];
  return cards.length ? cards : [refusal.move];
}

/** @param {Board} board @param {string[]} cards */
function covered(board, cards) {
  const card = coveredOf(board, cards);
  return `The ${nameOf(card)} is still covered by the ${board.coversOf(card).map(nameOf).join(" and the ")}.`;
}

/** Of two covered cards the telling one, which is covered by something else than its partner. @param {Board} board @param {string[]} cards */
function coveredOf(board, cards) {
  const under = cards.filter((card) => board.coversOf(card).length > 0);
  return under.find((card) => board.coversOf(card).some((cover) => !cards.includes(cover))) ?? under[0];
}

/** @param {Board} board @param {string[]} cards */
function buriedOf(board, cards) {
  return /** @type {string} */ (cards.find((card) => board.waste.slice(0, -1).includes(card)));
}

/** @param {string} move */
function notThirteen(move) {
  const cards = cardsOf(move);
  const total = cards.map(valueOf).reduce((sum, value) => sum + value, 0);
  return `${cards.map(countOf).join(" and ")} ${cards.length > 1 ? "make" : "counts"} ${total}, not 13.`;
}
