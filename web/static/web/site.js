// On every page: the suits in the colours that the player likes, and what makes the site open where there is no network.

import "./suits.js";

if ("serviceWorker" in navigator && window.isSecureContext) {
  // Without it everything works the same online, so a browser that refuses is left alone.
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}
