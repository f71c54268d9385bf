/**
 * What came of the practice deals of this browser, by rule set.
 *
 * A deal is played once at least one move was made on it. It is won when it is won for the first time, in whichever
 * try, and lost when it is left for another deal or other rules without that. So it counts once: starting it
 * over changes nothing, and once it has counted, further tries count nothing. Closing the page leaves nothing: the
 * deal is there again on return. Best time and fewest moves are those of the tries that won.
 *
 * @module
 */

import { forget, isRecord, keep, readKept } from "./storage.js";

const KEY = "pyramid-statistics";

/**
 * The figures of one rule set; best time and fewest moves are null before the first win.
 *
 * @typedef {{played: number, won: number, bestMs: number | null, fewestMoves: number | null, streak: number, longestStreak: number}} Figures
 */

/** @typedef {{isWon: boolean, elapsedMs: number, moves: number}} Result */

/** @type {Readonly<Figures>} */
const NONE = Object.freeze({ played: 0, won: 0, bestMs: null, fewestMoves: null, streak: 0, longestStreak: 0 });

/** @param {string} slug the rule set's @returns {Figures} */
export function figuresOf(slug) {
  return readAll()[slug] ?? { ...NONE };
}

/**
 * Count a deal.
 *
 * @param {string} slug the rule set's
 * @param {Result} result
 * @returns {Figures} as they were before
 */
export function count(slug, result) {
  const all = readAll();
  const before = all[slug] ?? { ...NONE };
  keep(KEY, { ...all, [slug]: withResult(before, result) });
  return before;
}

export function forgetStatistics() {
  forget(KEY);
}

/** @param {Figures} figures @param {Result} result @returns {Figures} */
export function withResult(figures, { isWon, elapsedMs, moves }) {
  const played = figures.played + 1;
  if (!isWon) return { ...figures, played, streak: 0 };
  const streak = figures.streak + 1;
  return {
    played,
    won: figures.won + 1,
    bestMs: Math.min(figures.bestMs ?? Infinity, elapsedMs),
    fewestMoves: Math.min(figures.fewestMoves ?? Infinity, moves),
    streak,
    longestStreak: Math.max(figures.longestStreak, streak),
  };
}

/** What is kept; rule sets whose figures make no sense are left out. @returns {Record<string, Figures>} */
function readAll() {
  const kept = readKept(KEY);
  const sound = Object.entries(isRecord(kept) ? kept : {}).filter(([, figures]) => isSound(figures));
  return /** @type {Record<string, Figures>} */ (Object.fromEntries(sound));
}

/** @param {unknown} figures */
function isSound(figures) {
  if (!isRecord(figures)) return false;
  return Object.entries(NONE).every(([name, none]) => {
    const value = figures[name];
    return (none === null && value === null) || (Number.isSafeInteger(value) && Number(value) >= 0);
  });
}
