/**
 * Notices that a page holds ready, hidden until they are true. Their words are the page's, their figures come here.
 *
 * @module
 */

/**
 * Show a notice, with these texts in its `data-slot`s.
 *
 * @param {string} id
 * @param {Record<string, string | number>} [slots]
 */
export function show(id, slots = {}) {
  const notice = find(id);
  fill(notice, slots);
  notice.hidden = false;
}

/** @param {string} id */
export function hide(id) {
  find(id).hidden = true;
}

/** @param {HTMLElement} notice @param {Record<string, string | number>} slots */
export function fill(notice, slots) {
  for (const [name, text] of Object.entries(slots)) {
    for (const slot of notice.querySelectorAll(`[data-slot="${name}"]`)) slot.textContent = String(text);
  }
}

/** @param {string} id */
export function find(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}
