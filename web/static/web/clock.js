/**
 * The server's clock, as far as a browser can know it: its own one may be wrong, so it is used for ticking only.
 *
 * @module
 */

/** Reads the server's time from what the server said last and what has passed since. */
export class ServerClock {
  #serverMs = 0;
  #ticks = 0;
  #wallMs = 0;

  /**
   * @param {string} serverTime as the server writes it, ISO 8601
   * @param {number} [ticks] when that was, by `performance.now()`
   */
  constructor(serverTime, ticks = performance.now()) {
    this.#set(Date.parse(serverTime), ticks);
  }

  /** Milliseconds since 1970, by the server's clock. */
  now() {
    return this.#serverMs + performance.now() - this.#ticks + this.#sleptMs;
  }

  /**
   * Go by what the server said just now. Answers take their time, so the one that says the latest is the truest.
   *
   * @param {string} serverTime
   */
  sync(serverTime) {
    const serverMs = Date.parse(serverTime);
    if (serverMs > this.now() || this.#sleptMs) this.#set(serverMs, performance.now());
  }

  /** @param {number} serverMs @param {number} ticks */
  #set(serverMs, ticks) {
    this.#serverMs = serverMs;
    this.#ticks = ticks;
    this.#wallMs = Date.now() - (performance.now() - ticks);
  }

  /** Some systems stop the ticks while the device sleeps; the time of day tells how long that was. */
  get #sleptMs() {
    const slept = Date.now() - this.#wallMs - (performance.now() - this.#ticks);
    return slept > 2_000 ? slept : 0;
  }
}

/**
 * The server's clock by what a page says, which was written when the answer began to arrive.
 *
 * @param {string} writtenAt
 */
export function clockOfPage(writtenAt) {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return new ServerClock(writtenAt, visit?.responseStart ?? 0);
}

/**
 * Time that is left, `1:02:09`, or `2:09` where there is no hour.
 *
 * @param {number} leftMs
 */
export function inClockFigures(leftMs) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoFigures = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const rest = `${hours ? twoFigures(minutes) : minutes}:${twoFigures(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}
