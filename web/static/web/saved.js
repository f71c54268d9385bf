/**
 * The practice deal that is on the table, kept in this browser between visits.
 *
 * @module
 */

import { replay } from "./rules.js";
import { isRecord, keep, readKept } from "./storage.js";

const KEY = "pyramid-practice";

/** @typedef {import("./rules.js").Rules} Rules */

/**
 * A deal on the table. `code` is null where it has none, `day` where it is no day's. `best` is the most that can
 * be cleared, where that is known. `isStarted`: a move was made, in this try or one before. `isCounted`: it is in
 * the statistics.
 *
 * @typedef {object} Hand
 * @property {string} deck
 * @property {string | null} code
 * @property {string | null} day
 * @property {number | null} best
 * @property {string} rules the slug
 * @property {string[]} log
 * @property {number} elapsedMs
 * @property {boolean} isStarted
 * @property {boolean} isCounted
 */

/** @param {Hand} hand */
export function saveHand(hand) {
  keep(KEY, hand);
}

/**
 * The hand that was kept, null where there is none that can be played.
 *
 * @param {Map<string, Rules>} ruleSets by slug
 * @returns {Hand | null}
 */
export function readHand(ruleSets) {
  const kept = readKept(KEY);
  return isHand(kept) && isPlayable(kept, ruleSets) ? kept : null;
}

/** @param {unknown} kept @returns {kept is Hand} */
function isHand(kept) {
  if (!isRecord(kept)) return false;
  const { deck, code, day, best, rules, log, elapsedMs, isStarted, isCounted } = kept;
  return (
    [deck, rules].every((value) => typeof value === "string") &&
    [code, day].every((value) => value === null || typeof value === "string") &&
    (best === null || Number.isInteger(best)) &&
    Array.isArray(log) &&
    Number.isFinite(elapsedMs) &&
    Number(elapsedMs) >= 0 &&
    [isStarted, isCounted].every((value) => typeof value === "boolean")
  );
}

/** @param {Hand} hand @param {Map<string, Rules>} ruleSets */
function isPlayable({ deck, rules, log }, ruleSets) {
  const ruleSet = ruleSets.get(rules);
  const cards = deck.split(" ");
  if (!ruleSet || cards.length !== 52 || new Set(cards).size !== 52) return false;
  if (!cards.every((card) => /^[A23456789TJQK][CDHS]$/.test(card))) return false;
  try {
    replay(deck, ruleSet, log);
    return true;
  } catch {
    return false;
  }
}
