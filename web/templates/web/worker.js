{% autoescape off %}// Keeps the site usable where there is no network: practice as it is, a word of explanation for the rest.
// It never keeps an answer of the API, nor a page that anybody was signed in to.

const CACHE = "pyramid-{{ version }}";
const ADDRESSES = {{ addresses }};
const [OFFLINE, PRACTICE] = ADDRESSES;
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldCaches());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, url));
  else if (ADDRESSES.includes(url.pathname)) event.respondWith(asset(request, url));
});

async function keepShell() {
  const cache = await caches.open(CACHE);
  // Without credentials: the pages as anybody sees them who is signed out.
  const requests = ADDRESSES.map((address) => new Request(address, { credentials: "omit", cache: "no-cache" }));
  await cache.addAll(requests);
}

async function dropOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("pyramid-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function page(request, url) {
  try {
    return await fetch(request);
  } catch {
    return kept(url.pathname === PRACTICE ? PRACTICE : OFFLINE);
  }
}

/** A file whose name holds its hash never changes; any other is asked for, and taken from here if that fails. */
async function asset(request, url) {
  const here = await kept(url.pathname);
  if (here && HASHED.test(url.pathname)) return here;
  try {
    return await fetch(request);
  } catch {
    return here ?? Response.error();
  }
}

async function kept(address) {
  const cache = await caches.open(CACHE);
  return cache.match(address);
}
{% endautoescape %}
