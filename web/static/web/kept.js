/**
 * The moves of an attempt, kept in this browser at each move, so that no crash and no dead network loses one.
 *
 * @module
 */

const PREFIX = "pyramid-attempt:";
const FORGOTTEN_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * What is kept of an attempt. `isFinished`: the player ended it here, and it has yet to arrive.
 *
 * @typedef {{log: string[], isFinished: boolean}} Kept
 */

/** The place for the moves of one attempt. A browser that keeps nothing is none the worse but for that. */
export class KeptLog {
  #key;

  /** @param {string} attemptId */
  constructor(attemptId) {
    this.#key = PREFIX + attemptId;
  }

  /** @returns {Kept} what was kept last, or nothing */
  read() {
    return written(() => localStorage.getItem(this.#key)) ?? { log: [], isFinished: false };
  }

  /** @param {string[]} log @param {{isFinished?: boolean}} [options] */
  write(log, { isFinished = false } = {}) {
    attempt(() => localStorage.setItem(this.#key, JSON.stringify({ log, isFinished, at: Date.now() })));
  }

  /** Forget the attempt, which has its run, and others that nobody came back to. */
  clear() {
    attempt(() => localStorage.removeItem(this.#key));
    attempt(forgetOld);
  }

  /**
   * Hear of what other tabs do to the same attempt.
   *
   * @param {{onMove: () => void, onEnd: () => void}} listeners
   */
  watch({ onMove, onEnd }) {
    addEventListener("storage", (event) => {
      if (event.key !== this.#key && event.key !== null) return;
      if (event.newValue === null) onEnd();
      else onMove();
    });
  }
}

/**
 * Which moves to go on from: those of this browser, or those the server has from another device.
 *
 * Logs only ever grow, so one that begins with all of the other one is the later of the two. Where neither does,
 * they were played apart, and what the server has counts.
 *
 * @param {string[]} here
 * @param {string[]} server
 * @returns {{log: string[], isFromElsewhere: boolean, lostMoves: number}} `lostMoves`: made here and left out
 */
export function later(here, server) {
  if (startsWith(here, server)) return { log: here, isFromElsewhere: false, lostMoves: 0 };
  const lostMoves = startsWith(server, here) ? 0 : here.length - sharedLength(here, server);
  return { log: server, isFromElsewhere: true, lostMoves };
}

/** @param {string[]} log @param {string[]} beginning */
export function startsWith(log, beginning) {
  return beginning.length <= log.length && sharedLength(log, beginning) === beginning.length;
}

/** @param {string[]} one @param {string[]} other */
function sharedLength(one, other) {
  const differing = one.findIndex((move, index) => move !== other[index]);
  return differing < 0 ? one.length : differing;
}

function forgetOld() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  for (const key of keys) if (isOld(localStorage.getItem(key))) localStorage.removeItem(key);
}

/** @param {string | null} text */
function isOld(text) {
  return !(JSON.parse(text ?? "null")?.at > Date.now() - FORGOTTEN_AFTER_MS);
}

/** @param {() => string | null} read @returns {Kept | null} */
function written(read) {
  try {
    const { log, isFinished } = JSON.parse(read() ?? "null");
    return isLog(log) ? { log, isFinished: Boolean(isFinished) } : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value @returns {value is string[]} */
function isLog(value) {
  return Array.isArray(value) && value.every((move) => typeof move === "string");
}

/** @param {() => void} write */
function attempt(write) {
  try {
    write();
  } catch {
    // Storage is full or forbidden; the server's checkpoint has to do.
  }
}
