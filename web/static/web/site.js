// On every page: what makes the site open where there is no network.

if ("serviceWorker" in navigator && window.isSecureContext) {
  // Without it everything works the same online, so a browser that refuses is left alone.
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}

export {};
