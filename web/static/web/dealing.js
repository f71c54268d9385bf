/**
 * Deals to practise on: any, a named one, or the one that an address asks for.
 *
 * @module
 */

import { BadCode, codeOfNumber, deckOf, NotSecure, randomCode, readCode } from "./deals.js";
import { RANKS, SUITS } from "./rules.js";

/** A deal as it can be told: without a code only by its deck. @typedef {{deck: string, code: string | null}} NamedDeal */

/** A deal that nobody knows yet. @returns {Promise<NamedDeal>} */
export async function randomDeal() {
  try {
    const code = await randomCode();
    return { deck: await deckOf(code), code };
  } catch (error) {
    if (!(error instanceof NotSecure)) throw error;
    // Codes take SHA-256, which a browser keeps for secure pages; a shuffled deck plays as well.
    return { deck: shuffled([...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit))).join(" "), code: null };
  }
}

/**
 * The deal that somebody names by code or number.
 *
 * @param {string} text
 * @returns {Promise<NamedDeal>}
 * @throws {BadCode} with a sentence for people
 */
export async function dealNamed(text) {
  const name = text.trim();
  if (!name) throw new BadCode("malformed_code", text, "Write a deal code or a number here.");
  const code = /^\d+$/.test(name) ? await codeOfNumber(Number(name)) : await readCode(name);
  return { deck: await deckOf(code), code };
}

/** @param {string[]} cards */
function shuffled(cards) {
  const keys = crypto.getRandomValues(new Uint32Array(cards.length));
  return cards.map((card, index) => ({ card, key: keys[index] })).toSorted((one, other) => one.key - other.key).map(({ card }) => card);
}
