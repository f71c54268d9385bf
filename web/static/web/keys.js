/**
 * Playing with the keyboard: arrows go from card to card by where they lie, letters do the rest.
 *
 * @module
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key is meant for the table, and not for a field, a dialog or the browser
 */
export function isForTable(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target;
  if (document.querySelector("dialog[open]")) return false;
  return !(target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]"));
}

/**
 * Where an arrow key leads from an element, null for other keys and where nothing lies that way.
 *
 * @param {string} key
 * @param {HTMLElement} from
 * @param {HTMLElement[]} among
 * @returns {HTMLElement | null}
 */
export function towards(key, from, among) {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const start = centreOf(from);
  const ways = among
    .filter((element) => element !== from)
    .map((element) => ({ element, cost: costOf(start, centreOf(element), arrow) }))
    .filter(({ cost }) => cost < Infinity);
  return ways.toSorted((one, other) => one.cost - other.cost)[0]?.element ?? null;
}

/** @param {string} key */
export function isArrow(key) {
  return key in ARROWS;
}

/**
 * How far it is from one point to another for somebody who goes this way: aside counts double.
 *
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {[number, number]} way
 */
function costOf(from, to, [across, down]) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const ahead = dx * across + dy * down;
  const aside = Math.abs(dx * down) + Math.abs(dy * across);
  return ahead > 4 ? ahead + 2 * aside : Infinity;
}

/** @param {HTMLElement} element */
function centreOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
