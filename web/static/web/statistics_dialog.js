/**
 * The dialog that shows the statistics of practice.
 *
 * @module
 */

import { inClockFigures } from "./clock.js";
import { figuresOf } from "./statistics.js";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("statistics-dialog"));
const select = /** @type {HTMLSelectElement} */ (document.getElementById("statistics-rules"));

select.addEventListener("change", fill);

/** Show the figures of a rule set; the dialog lets choose others. @param {string} slug */
export function showStatistics(slug) {
  select.value = slug;
  fill();
  if (!dialog.open) dialog.showModal();
}

function fill() {
  const { played, won, bestMs, fewestMoves, streak, longestStreak } = figuresOf(select.value);
  const told = {
    played,
    won,
    rate: played ? `${Math.round((100 * won) / played)}%` : "–",
    best: bestMs === null ? "–" : inClockFigures(bestMs - (bestMs % 1000)),
    fewest: fewestMoves ?? "–",
    streak,
    longest: longestStreak,
  };
  for (const [name, figure] of Object.entries(told)) {
    const slot = dialog.querySelector(`[data-statistic="${name}"]`);
    if (slot) slot.textContent = String(figure);
  }
}
