/**
 * Brings the moves of an attempt to the server: checkpoints while playing, then the submission, whatever the network.
 *
 * @module
 */

import { call, isPassing, Problem, restOrOnline, untilAnswered } from "./api.js";
import { startsWith } from "./kept.js";

/** @import { ServerClock } from "./clock.js" */

const REST_MS = 4_000;

/**
 * How sending stands. `kept`: the server has every move; `sending`: it will have soon; `away`: it cannot be reached.
 *
 * @typedef {"kept" | "sending" | "away"} Standing
 */

/**
 * Sends what was played. Tells `standing` (a `Standing`) and, when it is of no more use, `refused` (a `Problem`), or
 * `overtaken`: while it was away, another device has gone on.
 */
export class Sender extends EventTarget {
  #path;
  #clock;
  /** @type {string[]} */
  #log;
  #acknowledged;
  #isBusy = false;
  #stopped = new AbortController();
  #restedAt = 0;
  #failures = 0;

  /**
   * @param {string} attemptPath
   * @param {ServerClock} clock is set by each answer
   * @param {string[]} acknowledged the moves that the server has
   */
  constructor(attemptPath, clock, acknowledged) {
    super();
    this.#path = attemptPath;
    this.#clock = clock;
    this.#log = acknowledged;
    this.#acknowledged = acknowledged.length;
  }

  /** Whether the server has yet to get moves. */
  get isBehind() {
    return this.#log.length > this.#acknowledged;
  }

  /** Let the server have these moves soon. @param {string[]} log */
  keep(log) {
    this.#log = log;
    void this.#catchUp();
  }

  /** Send at once what is missing, since the page may be gone in a moment; nobody waits for the answer. */
  keepNow() {
    if (!this.isBehind || this.#failures || this.#stopped.signal.aborted) return;
    call("PUT", `${this.#path}checkpoint/`, { log: this.#log }, { isLast: true }).catch(() => {});
  }

  /** Send no more checkpoints. */
  stop() {
    this.#stopped.abort();
  }

  /**
   * Submit these moves, again and again until the server has judged them; the run.
   *
   * @param {string[]} log
   * @returns {Promise<any>}
   * @throws {Problem} when it refuses them for good
   */
  async submit(log) {
    this.stop();
    this.#tell("sending");
    return untilAnswered(() => call("POST", `${this.#path}run/`, { log }), { onWait: () => this.#tell("away") });
  }

  async #catchUp() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.isBehind && !this.#stopped.signal.aborted) await this.#sendNext();
    this.#isBusy = false;
  }

  async #sendNext() {
    this.#tell(this.#failures ? "away" : "sending");
    await restOrOnline(this.#restedAt - performance.now(), this.#stopped.signal);
    if (this.#stopped.signal.aborted) return;
    try {
      if (!this.#failures || !(await this.#isOvertaken())) await this.#send(this.#log);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** After some time away, whether the server has moves by now that are none of these. */
  async #isOvertaken() {
    const { checkpoint } = await call("GET", this.#path);
    if (startsWith(this.#log, checkpoint)) return false;
    this.stop();
    this.dispatchEvent(new CustomEvent("overtaken"));
    return true;
  }

  /** @param {string[]} log */
  async #send(log) {
    const answer = await call("PUT", `${this.#path}checkpoint/`, { log });
    this.#clock.sync(answer.server_time);
    this.#acknowledged = log.length;
    this.#failures = 0;
    this.#rest(REST_MS);
    this.#tell(this.isBehind ? "sending" : "kept");
  }

  /** @param {unknown} error */
  #refused(error) {
    if (this.#stopped.signal.aborted) return;
    if (error instanceof Problem && error.retryAfterMs !== null) {
      this.#rest(error.retryAfterMs);
    } else if (isPassing(error)) {
      this.#failures += 1;
      this.#rest(Math.min(30_000, 1_000 * 2 ** this.#failures));
      this.#tell("away");
    } else {
      this.stop();
      this.dispatchEvent(new CustomEvent("refused", { detail: error }));
    }
  }

  /** @param {number} ms */
  #rest(ms) {
    this.#restedAt = performance.now() + ms;
  }

  /** @param {Standing} standing */
  #tell(standing) {
    this.dispatchEvent(new CustomEvent("standing", { detail: standing }));
  }
}
