/**
 * Time that passes only while it is measured.
 *
 * @module
 */

export class Stopwatch {
  #elapsedMs = 0;
  /** @type {number | null} */
  #since = null;

  get elapsedMs() {
    return Math.round(this.#elapsedMs + (this.#since === null ? 0 : performance.now() - this.#since));
  }

  start() {
    this.#since ??= performance.now();
  }

  stop() {
    this.#elapsedMs = this.elapsedMs;
    this.#since = null;
  }

  /** Stand still, with so much time gone. @param {number} elapsedMs */
  set(elapsedMs) {
    this.#elapsedMs = elapsedMs;
    this.#since = null;
  }
}
