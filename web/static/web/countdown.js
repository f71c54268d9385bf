/**
 * Makes every `<time data-until data-now>` of the page count down, by the server's clock.
 *
 * When it is over, the element says `data-over` and what has the id in `data-reveals` is shown.
 *
 * @module
 */

import { clockOfPage, inClockFigures } from "./clock.js";

for (const element of document.querySelectorAll("time[data-until]")) {
  countDown(/** @type {HTMLTimeElement} */ (element));
}

/** @param {HTMLTimeElement} element */
function countDown(element) {
  const clock = clockOfPage(element.dataset.now ?? new Date().toISOString());
  const until = Date.parse(element.dataset.until ?? "");
  const timer = setInterval(tick, 250);
  tick();

  function tick() {
    const leftMs = until - clock.now();
    write(element, leftMs > 0 ? inClockFigures(leftMs) : (element.dataset.over ?? "now"));
    if (leftMs <= 0) end();
  }

  function end() {
    clearInterval(timer);
    const revealed = document.getElementById(element.dataset.reveals ?? "");
    if (revealed) revealed.hidden = false;
  }
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
