/**
 * The panel at the end of a practice deal: how it went, how much could have been cleared, what to do next.
 *
 * @module
 */

import { call, NetworkError, Problem } from "./api.js";
import { inClockFigures } from "./clock.js";
import { timeBonus } from "./rules.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./saved.js").Hand} Hand */
/** @typedef {import("./statistics.js").Figures} Figures */
/** @typedef {{newDeal: () => void, restart: () => void, undo: () => void, close: () => void}} Actions */

/**
 * @param {Board} board
 * @param {Hand} hand
 * @param {Figures | null} before where this is a win that counts: the figures before it
 * @param {Actions} actions
 * @returns {Node[]}
 */
export function outcomeOf(board, hand, before, actions) {
  const heading = element("h2", titleOf(board));
  const lines = [element("p", summaryOf(board, hand)), ...praise(board, hand, before), ...bestLine(board, hand)];
  const isUndoable = !board.isWon && board.canUndo;
  const next = element("p");
  next.className = "row";
  next.append(
    ...(isUndoable ? [button("Undo", actions.undo)] : []),
    button("Start over", actions.restart),
    button("New deal", actions.newDeal, "primary"),
  );
  return [...(board.isWon ? [fanfare()] : [closeButton(actions.close)]), heading, ...lines, next];
}

function fanfare() {
  const line = element("p");
  line.className = "fanfare";
  line.setAttribute("aria-hidden", "true");
  line.append(...["♠", "♥", "♣", "♦"].map((suit) => element("span", suit)));
  return line;
}

/** @param {() => void} close */
function closeButton(close) {
  const made = button("×", close, "close");
  made.setAttribute("aria-label", "Look at the table");
  return made;
}

/** What the best play clears, told on demand, where that can be known and is news. @param {Board} board @param {Hand} hand */
function bestLine(board, hand) {
  if (board.cleared === 28 || (!hand.code && hand.best === null)) return [];
  const line = element("p");
  line.setAttribute("role", "status");
  line.append(button("How much could be cleared?", () => void showBest(board, hand, line), "plain"));
  return [line];
}

/** @param {Board} board */
function titleOf(board) {
  if (board.isWon) return board.rules.win === "all" ? "Won: all 52 cards are gone" : "Won: the pyramid is gone";
  return board.isStuck ? "Stuck: no move is left" : "Nothing more can be cleared";
}

/** @param {Board} board @param {Hand} hand */
function summaryOf(board, { elapsedMs }) {
  const cleared = board.isWon ? "" : `${board.cleared} of 28 cleared, `;
  const time = inClockFigures(elapsedMs - (elapsedMs % 1000));
  const sums = `${cleared}${board.moves} moves, ${time}.${pointsOf(board, elapsedMs)}`;
  if (board.isWon || board.isStuck) return sums;
  return `${sums} No card of stock and waste goes with an exposed one, so another trip cannot help.`;
}

/** @param {Board} board @param {number} elapsedMs */
function pointsOf({ points, rules, isWon }, elapsedMs) {
  if (!(rules.points_per_pyramid_card || rules.points_per_pair || rules.points_per_king)) return "";
  const bonus = timeBonus(rules, isWon, elapsedMs);
  return bonus ? ` ${points + bonus} points, ${bonus} of them for time.` : ` ${points} points.`;
}

/** @param {Board} board @param {Hand} hand @param {Figures | null} before */
function praise(board, { elapsedMs }, before) {
  if (!before) return [];
  const told = [
    before.bestMs === null ? "Your first win by these rules." : "",
    before.bestMs !== null && elapsedMs < before.bestMs ? "Your best time by these rules." : "",
    before.fewestMoves !== null && board.moves < before.fewestMoves ? "Your fewest moves." : "",
    before.streak ? `${before.streak + 1} wins in a row.` : "",
  ].filter(Boolean);
  return told.length ? [element("p", told.join(" "))] : [];
}

/** @param {Board} board @param {Hand} hand @param {HTMLElement} line */
async function showBest(board, hand, line) {
  line.textContent = "Searching …";
  try {
    line.textContent = bestInWords(await bestOf(hand), board);
  } catch (error) {
    line.replaceChildren(`${whyNot(error)} `, button("Ask again", () => void showBest(board, hand, line), "plain"));
  }
}

/** @param {Hand} hand @returns {Promise<{best_clear: number, proven: boolean}>} */
async function bestOf({ code, rules, best }) {
  if (best !== null) return { best_clear: best, proven: true };
  return call("GET", `/api/v1/deals/${code}/?rules=${rules}`);
}

/** @param {{best_clear: number, proven: boolean}} best @param {Board} board */
function bestInWords({ best_clear: best, proven }, board) {
  if (!proven) return `At least ${best} of 28 can be cleared.`;
  const share = best === 28 ? "All 28 can be cleared." : `No play clears more than ${best} of 28.`;
  return board.cleared === best && best < 28 ? `${share} You did as well as can be.` : share;
}

/** @param {unknown} error */
function whyNot(error) {
  if (error instanceof NetworkError) return "The server cannot be reached; ask again later.";
  if (!(error instanceof Problem)) throw error;
  if (error.status === 404) return "Nothing can be told of this deal for now.";
  return error.detail;
}

/** @param {string} name @param {string} [text] */
function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @param {string} text @param {() => void} run @param {string} [className] */
function button(text, run, className = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.className = className;
  made.addEventListener("click", run);
  return made;
}
