/**
 * Passes the text of a result on: to the device's own choice of apps where there is one, or to the clipboard.
 *
 * @module
 */

import { find } from "./notices.js";

const text = /** @type {HTMLTextAreaElement} */ (find("share-text"));

offer("share", "share" in navigator, () => navigator.share({ text: text.value }));
offer("copy", "clipboard" in navigator, async () => {
  await navigator.clipboard.writeText(text.value);
  find("shared").textContent = "Copied.";
});
text.addEventListener("focus", () => text.select());

/** @param {string} id @param {boolean} isPossible @param {() => Promise<void>} pass */
function offer(id, isPossible, pass) {
  const button = find(id);
  button.hidden = !isPossible;
  button.addEventListener("click", () => pass().catch(explain));
}

/** @param {Error} error */
function explain(error) {
  if (error.name === "AbortError") return;
  text.select();
  find("shared").textContent = "This browser does not allow it: the text is marked, copy it by hand.";
}
