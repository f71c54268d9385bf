/**
 * How a player likes to play: kept in this browser, the same on every page with cards.
 *
 * @module
 */

import { isRecord, keep, readKept } from "./storage.js";

const KEY = "pyramid-options";

/**
 * `help`: a wrong tap explains itself. `autoPair`: a tapped card goes with its first partner. `oneTapKing`: a king
 * goes at the first tap, not the second. `fourColours`: each suit has a colour of its own.
 *
 * @typedef {{help: boolean, autoPair: boolean, oneTapKing: boolean, fourColours: boolean}} Options
 */

/** @type {Readonly<Options>} */
export const DEFAULTS = Object.freeze({ help: true, autoPair: false, oneTapKing: true, fourColours: false });

const NAMES = /** @type {(keyof Options)[]} */ (Object.keys(DEFAULTS));

/** The options as they were kept, with the defaults for the rest. @returns {Options} */
export function readOptions() {
  const kept = readKept(KEY);
  const options = { ...DEFAULTS };
  if (!isRecord(kept)) return options;
  for (const name of NAMES) {
    if (typeof kept[name] === "boolean") options[name] = kept[name];
  }
  return options;
}

/** @param {Options} options */
export function keepOptions(options) {
  keep(KEY, options);
}

/** Let the page look as the options say. @param {Options} options */
export function applyOptions(options) {
  const root = document.documentElement;
  if (options.fourColours) root.dataset.suits = "four";
  else delete root.dataset.suits;
}

/**
 * Let the check boxes of a form, each named like an option, show and change the options.
 *
 * @param {HTMLFormElement} form
 * @param {Options} options changed in place, and kept
 */
export function bindOptions(form, options) {
  for (const name of NAMES) {
    const box = form.elements.namedItem(name);
    if (!(box instanceof HTMLInputElement)) continue;
    box.checked = options[name];
    box.addEventListener("change", () => {
      options[name] = box.checked;
      keepOptions(options);
      applyOptions(options);
    });
  }
}
