/**
 * Checks the bundle of a settled day, as `games.pyramid.verify` does: all that can be recomputed is, and every
 * difference is told. Taken as given is what only the service can know: when runs came, whose they are, and
 * which of them do not count.
 *
 * @module
 */

import { commitmentOf, deckOf } from "./deals.js";
import { IllegalMove, replay } from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {Record<string, any>} Fields */
/** @typedef {"commitment" | "deal" | "best" | "runs" | "ranks" | "digest" | "history"} Check */

const FORMAT = "pyramid-daily-bundle/1";
const CLEARED_RANGE = 28;

/** The input is no bundle. */
export class NotABundle extends Error {}

/** One pass through a bundle: the header, each run in its order, then `finish`. */
export class Verifier {
  /** @type {string[]} */
  #canonical = [];
  /** @type {Set<string>} */
  #seen = new Set();
  /** @type {Fields | null} */
  #last = null;
  /** @type {{score: number[], rank: number, line: number}[]} */
  #ranked = [];

  /**
   * @param {Fields} header the first line
   * @param {Rules} rules what the day is played by
   */
  constructor(header, rules) {
    if (header.format !== FORMAT) throw new NotABundle(`its format is ${shown(header.format)}, not ${FORMAT}`);
    this.header = header;
    this.rules = rules;
    this.runs = 0;
    /** What differs, by what was checked. @type {Record<Check, string[]>} */
    this.differences = { commitment: [], deal: [], best: [], runs: [], ranks: [], digest: [], history: [] };
    /** What came out where the header says something. @type {{commitment: string, digest: string}} */
    this.recomputed = { commitment: "", digest: "" };
  }

  /** How many runs are ranked. */
  get fieldSize() {
    return this.#ranked.length;
  }

  /** How many differences were found. */
  get found() {
    return Object.values(this.differences).flat().length;
  }

  /** Check what the first line says by itself. */
  async checkHeader() {
    await this.#checkCommitment();
    await this.#checkDeal();
    this.#checkBest();
    this.#checkTimes();
    this.#checkRevisions();
  }

  /** @param {Check} check @param {string} text */
  #tell(check, text) {
    this.differences[check].push(text);
  }

  async #checkCommitment() {
    const { date, rules, salt, deck, commitment } = this.header;
    this.recomputed.commitment = await commitmentOf(date, rules, salt, deck);
    if (this.recomputed.commitment !== commitment) {
      this.#tell("commitment", `the commitment is ${commitment}, and date, rules, salt and deck make it ${this.recomputed.commitment}`);
    }
  }

  async #checkDeal() {
    const { code, deck, rules, rules_version: version } = this.header;
    if (rules !== this.rules.slug || version !== this.rules.version) {
      this.#tell("deal", `the rules are ${shown(rules)} in version ${shown(version)}, and this page plays ${this.rules.slug} in version ${this.rules.version}`);
    }
    if (code !== null && (await dealtBy(code)) !== deck) this.#tell("deal", `the code ${shown(code)} deals another deck`);
  }

  #checkBest() {
    const { best_clear: best, best_line: line } = this.header;
    if (best === null) return;
    const reached = this.#replay(line, (refused) => this.#tell("best", `the best line is not legal: ${refused}`));
    if (reached && reached.cleared !== best) {
      this.#tell("best", `the best line clears ${reached.cleared}, not the ${shown(best)} that it should`);
    }
  }

  #checkTimes() {
    const { date, opens_at: opens, closes_at: closes } = this.header;
    const next = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    if (opens !== midnight(date)) this.#tell("history", `the day opens at ${shown(opens)}, not ${midnight(date)}`);
    if (closes !== midnight(next)) this.#tell("history", `the day closes at ${shown(closes)}, not ${midnight(next)}`);
  }

  #checkRevisions() {
    const { revisions, revision, digest, settled_at: settledAt } = this.header;
    const last = revisions.at(-1);
    if (!last) return this.#tell("history", "there is no revision");
    if (revisions.some((/** @type {Fields} */ each, /** @type {number} */ index) => each.revision !== index + 1)) {
      this.#tell("history", "the revisions are not numbered 1, 2, 3 and so on");
    }
    if (revision !== last.revision) this.#tell("history", `the revision is ${shown(revision)}, and the last is ${shown(last.revision)}`);
    if (digest !== last.digest) this.#tell("history", `the digest is ${shown(digest)}, and that of the last revision ${shown(last.digest)}`);
    if (settledAt !== revisions[0].settled_at) this.#tell("history", "the day settled at another time than its first revision");
  }

  /** Replay a further line and rank it. @param {Fields} run */
  addRun(run) {
    this.runs += 1;
    try {
      this.#checkRun(run);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#tellRun(run ?? {}, "it does not have the form of a run");
    }
  }

  /** @param {Fields} run */
  #checkRun(run) {
    const outcome = this.#replay(run.log, (refused) => this.#tellRun(run, `the log is not legal: ${refused}`));
    if (outcome) this.#checkOutcome(run, outcome);
    this.#checkPlace(run, outcome ? outcome.cleared : run.cleared);
  }

  /** @param {Fields} run @param {string} text */
  #tellRun(run, text) {
    this.#tell("runs", `the run of ${shown(run.player)} on line ${this.runs + 1}: ${text}`);
  }

  /** @param {Fields} run @param {Board} board */
  #checkOutcome(run, board) {
    const right = {
      cleared: board.cleared,
      won: board.isWon,
      moves: board.moves,
      points: board.points + bonusOf(this.rules, board, run.elapsed_ms),
    };
    for (const [name, value] of Object.entries(right)) {
      if (run[name] !== value) this.#tellRun(run, `${name} is ${shown(run[name])}, and the log makes it ${value}`);
    }
    const best = this.header.best_clear;
    if (best !== null && board.cleared > best) this.#tellRun(run, `it clears ${board.cleared}, more than the best of ${best}`);
  }

  /** @param {Fields} run @param {number} cleared */
  #checkPlace(run, cleared) {
    if (this.#seen.has(run.run)) this.#tellRun(run, "it is there twice");
    this.#seen.add(run.run);
    const entry = { ...run, cleared };
    if (this.#last && isBefore(entry, this.#last)) this.#tell("ranks", `line ${this.runs + 1} belongs before the one above`);
    this.#last = entry;
    if (!run.voided && run.unranked === null) this.#enter(entry);
    else if (run.rank !== null) this.#tell("ranks", `line ${this.runs + 1} has rank ${shown(run.rank)}, and does not count`);
  }

  /** @param {Fields} entry */
  #enter(entry) {
    const score = [CLEARED_RANGE - entry.cleared, entry.elapsed_ms];
    const rank = this.#rankAfter(score);
    this.#ranked.push({ score, rank, line: this.runs + 1 });
    this.#canonical.push(`${rank}|${entry.run}|${entry.cleared}|${entry.elapsed_ms}|${entry.log.join(" ")}\n`);
    if (entry.rank !== rank) {
      this.#tell("ranks", `line ${this.runs + 1} has rank ${shown(entry.rank)}, and the results make it ${rank}`);
    }
  }

  /** Equal results share a rank: 1, 1, 3. @param {number[]} score */
  #rankAfter(score) {
    const last = this.#ranked.at(-1);
    const isEqual = last && last.score.every((part, index) => part === score[index]);
    return isEqual ? last.rank : this.#ranked.length + 1;
  }

  /** Check what only the whole tells. */
  async finish() {
    const { runs, field_size: fieldSize, digest, voided } = this.header;
    this.recomputed.digest = await sha256(new Blob(this.#canonical));
    if (runs !== this.runs) this.#tell("runs", `${shown(runs)} runs are announced, and ${this.runs} lines follow`);
    if (fieldSize !== this.fieldSize) this.#tell("ranks", `${shown(fieldSize)} ranked runs are announced, and there are ${this.fieldSize}`);
    if (voided && this.fieldSize) this.#tell("ranks", `the day is void, and ${this.fieldSize} runs are ranked`);
    if (digest !== this.recomputed.digest) {
      this.#tell("digest", `the digest is ${shown(digest)}, and that of these runs is ${this.recomputed.digest}`);
    }
  }

  /** The board after a log; null, told, where it is not legal. @param {string[]} log @param {(refused: string) => void} tell */
  #replay(log, tell) {
    try {
      return replay(this.header.deck, this.rules, log);
    } catch (error) {
      if (!(error instanceof IllegalMove)) throw error;
      tell(error.message);
      return null;
    }
  }
}

/** @param {string} code */
async function dealtBy(code) {
  try {
    return await deckOf(code);
  } catch {
    return "";
  }
}

/** @param {Rules} rules @param {Board} board @param {number} elapsedMs */
function bonusOf(rules, board, elapsedMs) {
  return board.isWon ? Math.max(0, rules.time_bonus_s - Math.floor(elapsedMs / 1000)) : 0;
}

/** Whether a run belongs before another: more cleared, then less time, then by its id. @param {Fields} run @param {Fields} other */
function isBefore(run, other) {
  if (run.cleared !== other.cleared) return run.cleared > other.cleared;
  if (run.elapsed_ms !== other.elapsed_ms) return run.elapsed_ms < other.elapsed_ms;
  return run.run < other.run;
}

/** @param {string} day */
function midnight(day) {
  return `${day}T00:00:00.000000Z`;
}

/** A value as JSON has it, in a few characters. @param {unknown} value */
function shown(value) {
  const text = JSON.stringify(value) ?? "missing";
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** @param {Blob} blob */
async function sha256(blob) {
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
