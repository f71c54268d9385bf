/**
 * One attempt being played in this tab: its moves are kept here, sent on, and at the end submitted.
 *
 * @module
 */

import { call, isPassing, Problem, untilAnswered } from "./api.js";
import { inClockFigures, ServerClock } from "./clock.js";
import { Game } from "./game.js";
import { KeptLog, later, startsWith } from "./kept.js";
import { fill, find, hide, show } from "./notices.js";
import { replay } from "./rules.js";
import { Sender } from "./sending.js";

const TICK_MS = 200;
/** So long before the deadline what is there is submitted, to arrive in time. */
const LAST_MOMENT_MS = 1_500;
const WARNED_AT_MS = 5 * 60_000;
const ASK_AGAIN_MS = 5_000;
/** Said beside the game, which goes on: how it began, until the next move; and what holds for a while. */
const BEGINNINGS = ["resumed", "resumed-from-server", "moves-left-out"];
const CONDITIONS = ["last-minutes", "away"];
/** So long a condition is explained; then it is only named, off the cards. */
const EXPLAINED_MS = 9_000;

/** Plays an attempt to its end, which is the page of its run. */
export class Sitting {
  #attempt;
  #rules;
  #path;
  #runPage;
  #clock;
  #kept;
  /** @type {Sender} */
  #sender;
  /** @type {Game} */
  #game;
  #start;
  /** What is laid over the table, by its id. @type {Map<string, HTMLElement>} */
  #panels = new Map();
  /** @type {"playing" | "elsewhere" | "ended"} `elsewhere`: another tab has gone on, and this one waits */
  #phase = "playing";
  #ticker = 0;

  /**
   * @param {any} attempt the answer to its start
   * @param {any} rules
   */
  constructor(attempt, rules) {
    this.#attempt = attempt;
    this.#rules = rules;
    this.#path = `/api/v1/attempts/${attempt.id}/`;
    this.#runPage = `/runs/${attempt.id}/`;
    this.#clock = new ServerClock(attempt.server_time);
    this.#kept = new KeptLog(attempt.id);
    this.#start = this.#findStart();
    this.#sender = new Sender(this.#path, this.#clock, attempt.checkpoint);
    this.#game = new Game(find("table"), { deck: attempt.deck, rules, log: this.#start.log });
  }

  /** Let the player play. */
  begin() {
    for (const panel of find("panels").children) this.#panels.set(panel.id, /** @type {HTMLElement} */ (panel));
    this.#listen();
    this.#tellStart();
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
    const { log, isFinished } = this.#start;
    if (log.length) this.#sender.keep(log);
    if (isFinished || this.#game.board.isWon) void this.#submit();
    else if (this.#game.board.isStuck) this.#lay("stuck");
  }

  /** @returns {{log: string[], isFinished: boolean, isFromElsewhere: boolean, lostMoves: number}} */
  #findStart() {
    const here = this.#kept.read();
    const found = later(this.#isLegal(here.log) ? here.log : [], this.#attempt.checkpoint);
    return { ...found, isFinished: here.isFinished && !found.isFromElsewhere };
  }

  /** @param {string[]} log */
  #isLegal(log) {
    try {
      replay(this.#attempt.deck, this.#rules, log);
      return true;
    } catch {
      return false;
    }
  }

  #tellStart() {
    const { log, isFromElsewhere, lostMoves } = this.#start;
    if (lostMoves) show("moves-left-out", { lost: lostMoves });
    else if (log.length) show(isFromElsewhere ? "resumed-from-server" : "resumed", { moves: log.length });
  }

  #listen() {
    this.#game.addEventListener("move", () => this.#moved());
    this.#game.addEventListener("over", () => (this.#game.board.isWon ? void this.#submit() : this.#lay("stuck")));
    this.#game.addEventListener("dead-end", () => this.#lay("dead-end"));
    this.#sender.addEventListener("standing", (event) => this.#tellStanding(detailOf(event)));
    this.#sender.addEventListener("overtaken", () => location.reload());
    this.#sender.addEventListener("refused", (event) => this.#refused(detailOf(event)));
    this.#kept.watch({ onMove: () => this.#playedElsewhere(), onEnd: () => this.#leave() });
    find("go-on-here").addEventListener("click", () => location.reload());
    find("finish").addEventListener("click", () => this.#askToFinish());
    onEach("[data-finish]", () => void this.#submit());
    onEach("[data-undo]", () => this.#game.undo());
    onEach("[data-close]", () => this.#game.hideOutcome());
    this.#listenToPage();
  }

  #listenToPage() {
    addEventListener("offline", () => this.#tellStanding("away"));
    addEventListener("online", () => hide("away"));
    addEventListener("pagehide", () => this.#sender.keepNow());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#sender.keepNow();
      else void this.#lookElsewhere();
    });
  }

  get #isPlaying() {
    return this.#phase === "playing";
  }

  get #log() {
    return this.#game.board.log;
  }

  #moved() {
    for (const id of BEGINNINGS) hide(id);
    this.#kept.write(this.#log);
    this.#sender.keep(this.#log);
  }

  /** Lay a panel over the table. @param {string} id @param {Record<string, string | number>} [slots] */
  #lay(id, slots = {}) {
    const panel = /** @type {HTMLElement} */ (this.#panels.get(id));
    const { cleared, canUndo } = this.#game.board;
    fill(panel, { cleared, ...slots });
    for (const button of panel.querySelectorAll("[data-undo]")) /** @type {HTMLElement} */ (button).hidden = !canUndo;
    this.#game.showOutcome(panel);
  }

  #tick() {
    if (!this.#isPlaying) return;
    const now = this.#clock.now();
    const leftMs = Date.parse(this.#attempt.deadline_at) - now;
    this.#game.showTime(Math.max(0, now - Date.parse(this.#attempt.started_at)));
    warnIf("last-minutes", leftMs < WARNED_AT_MS);
    for (const slot of document.querySelectorAll("[data-time-left]")) writeText(slot, inClockFigures(leftMs));
    if (leftMs < LAST_MOMENT_MS) void this.#submit();
  }

  #askToFinish() {
    if (!this.#isPlaying) return;
    const dialog = /** @type {HTMLDialogElement} */ (find("finish-dialog"));
    fill(dialog, { cleared: this.#game.board.cleared });
    dialog.showModal();
  }

  /** Hand in what was played: there is no way back from here. */
  async #submit() {
    if (!this.#isPlaying) return;
    this.#stop("ended");
    const log = [...this.#log];
    this.#kept.write(log, { isFinished: true });
    this.#lay("submitting");
    try {
      await this.#sender.submit(log);
      this.#leave();
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Go to the page of the run; there is nothing more to keep. */
  #leave() {
    clearInterval(this.#ticker);
    this.#sender.stop();
    this.#kept.clear();
    location.replace(this.#runPage);
  }

  /** @param {import("./sending.js").Standing} standing */
  #tellStanding(standing) {
    const isAway = standing === "away" || !navigator.onLine;
    warnIf("away", isAway && this.#isPlaying);
    if (isAway && this.#phase === "ended") this.#lay("submitting-away");
  }

  /** The server will not take these moves, for good. @param {unknown} error */
  #refused(error) {
    if (!(error instanceof Problem)) throw error;
    this.#stop("ended");
    if (error.code === "already_submitted") this.#leave();
    else if (error.code === "deadline_passed") this.#waitForRun().catch((refusal) => this.#refused(refusal));
    else if (error.code === "illegal_move") this.#showIllegal(error);
    else if (error.isAboutSession) this.#lay("signed-out");
    else if (error.status === 404) this.#lay("not-yours");
    else this.#lay("not-taken", { why: error.detail });
  }

  /** @param {"elsewhere" | "ended"} phase */
  #stop(phase) {
    this.#phase = phase;
    this.#game.isFrozen = true;
    find("finish").setAttribute("aria-disabled", "true");
    this.#sender.stop();
    for (const id of [...BEGINNINGS, ...CONDITIONS]) hide(id);
  }

  /** Time is up: what the server had by then becomes the run, a minute later. */
  async #waitForRun() {
    this.#lay("time-up");
    for (;;) {
      const attempt = await untilAnswered(() => call("GET", this.#path));
      if (attempt.run) return this.#leave();
      if (attempt.checkpoint_at === null) {
        this.#lay("nothing-kept");
        return this.#kept.clear();
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /** @param {Problem} problem */
  #showIllegal(problem) {
    const { move, move_index: index } = problem.document;
    const report = { attempt: this.#attempt.id, rules: this.#rules.slug, problem: problem.document, log: this.#log };
    this.#lay("refused-move", { move, number: index + 1, why: problem.detail });
    /** @type {HTMLTextAreaElement} */ (find("refused-report")).value = JSON.stringify(report);
    find("before-refused").addEventListener("click", () => {
      this.#kept.write(this.#log.slice(0, index));
      location.reload();
    });
  }

  /** Another tab has played on: this one waits until the player is back here. */
  #playedElsewhere() {
    if (!this.#isPlaying) return;
    this.#stop("elsewhere");
    this.#lay("elsewhere");
  }

  /** Back on this page: has another tab or device gone on meanwhile? */
  async #lookElsewhere() {
    if (this.#phase === "elsewhere") return location.reload();
    if (!this.#isPlaying) return;
    try {
      const attempt = await call("GET", this.#path);
      this.#clock.sync(attempt.server_time);
      if (attempt.run) this.#leave();
      else if (!startsWith(this.#log, attempt.checkpoint)) location.reload();
    } catch (error) {
      if (!isPassing(error)) this.#refused(error);
    }
  }
}

/** Show or hide a condition; one that is new is explained for a while. @param {string} id @param {boolean} holds */
function warnIf(id, holds) {
  const hint = find(id);
  if (hint.hidden && holds) {
    hint.classList.remove("brief");
    setTimeout(() => hint.classList.add("brief"), EXPLAINED_MS);
  }
  hint.hidden = !holds;
}

/** @param {string} selector @param {() => void} act */
function onEach(selector, act) {
  for (const button of document.querySelectorAll(selector)) button.addEventListener("click", act);
}

/** @param {Event} event */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

/** @param {Element} element @param {string} text */
function writeText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
