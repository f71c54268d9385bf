/**
 * What a tap on a card means: pure, and the same for fingers, mice and keys.
 *
 * @module
 */

import { isKing } from "./cards.js";

/**
 * What comes of a tap: a move to make, another card picked up (or none), or a refusal.
 *
 * @typedef {{move: string} | {picked: string | null} | {refusal: import("./rules.js").IllegalMove, picked: string | null}} Pick
 */

/**
 * @param {import("./rules.js").Board} board
 * @param {string | null} picked the card picked up before
 * @param {string} card the card tapped now
 * @param {import("./options.js").Options} options
 * @returns {Pick}
 */
export function tap(board, picked, card, options) {
  if (picked === card) return isKing(card) ? { move: card } : { picked: null };
  if (picked === null) return first(board, card, options);
  if (isKing(card) && board.isInPlay(card)) return first(board, card, options);
  return second(board, picked, card);
}

/**
 * Two cards named as a pair, by a tap on each or by dropping one on the other.
 *
 * @param {import("./rules.js").Board} board
 * @param {string} one
 * @param {string} other
 * @returns {Pick}
 */
export function second(board, one, other) {
  const refusal = board.refusalOf(one + other);
  if (!refusal) return { move: one + other };
  // A card that is in play may be the start of another pair; any other leaves the first one picked.
  return { refusal, picked: board.isInPlay(other) ? other : one };
}

/**
 * Whether a card can be picked up: it is in play, or goes with the one card that covers it.
 *
 * @param {import("./rules.js").Board} board
 * @param {string} card
 */
export function canPick(board, card) {
  if (board.isWon) return false;
  return board.isInPlay(card) || (board.rules.cover_pairs && board.partnersOf(card).length > 0);
}

/**
 * The partner that is meant when nothing is said: of the exposed cards the first from the top row down and from
 * left to right, then the waste, then the stock, and last a card that only this one covers.
 *
 * @param {import("./rules.js").Board} board
 * @param {string} card
 */
export function firstPartner(board, card) {
  const partners = board.partnersOf(card);
  const inOrder = [...board.exposed, ...board.waste.slice(-1), ...board.stock.slice(0, 1), ...partners];
  return inOrder.find((other) => partners.includes(other)) ?? null;
}

/**
 * @param {import("./rules.js").Board} board
 * @param {string} card
 * @param {import("./options.js").Options} options
 * @returns {Pick}
 */
function first(board, card, options) {
  if (!canPick(board, card)) return refused(board, card);
  if (isKing(card)) return options.oneTapKing ? { move: card } : { picked: card };
  const partner = options.autoPair ? firstPartner(board, card) : null;
  return partner ? { move: card + partner } : { picked: card };
}

/**
 * @param {import("./rules.js").Board} board
 * @param {string} card
 * @returns {Pick}
 */
function refused(board, card) {
  const refusal = board.refusalOf(card);
  return refusal ? { refusal, picked: null } : { picked: null };
}
