/**
 * The one way to act: calls to the API (and to the few views that are acted through) with the page's session.
 *
 * @module
 */

const TIMEOUT_MS = 20_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** What the server refused, as its problem document says it. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} document
   * @param {number | null} retryAfterMs how long the server asks to wait
   */
  constructor(status, document, retryAfterMs = null) {
    super(document.detail || "The server refused this.");
    this.name = "Problem";
    this.status = status;
    /** @type {string} stable, such as `too_soon` */
    this.code = document.code || "unknown";
    /** @type {string} a sentence for people */
    this.detail = this.message;
    /** @type {Record<string, any>} with the members that only some problems have */
    this.document = document;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same call may well succeed later. */
  get isPassing() {
    return this.status >= 500 || this.status === 429;
  }

  /** Whether the server does not know (any more) who asks. */
  get isAboutSession() {
    return this.status === 401 || this.code === "csrf_failed";
  }
}

/** Nothing came back: the device is offline, or the server cannot be reached. */
export class NetworkError extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The server cannot be reached.", { cause });
    this.name = "NetworkError";
  }
}

/**
 * Whether trying again later makes sense.
 *
 * @param {unknown} error
 */
export function isPassing(error) {
  return error instanceof NetworkError || (error instanceof Problem && error.isPassing);
}

/**
 * Ask the server; the JSON it answers, null where it answers without a body.
 *
 * @param {string} method
 * @param {string} path from the root of the site: `/api/v1/…`
 * @param {unknown} [body] sent as JSON
 * @param {{isLast?: boolean}} [options] `isLast`: send it even if the page is left right now
 * @returns {Promise<any>}
 * @throws {Problem | NetworkError}
 */
export async function call(method, path, body, { isLast = false } = {}) {
  const response = await send(path, {
    method,
    headers: headersOf(method, body),
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    keepalive: isLast,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await read(response);
  if (!response.ok) throw new Problem(response.status, answer ?? unspoken(response), retryAfterMs(response));
  return answer;
}

/**
 * Do something until it succeeds or is refused for good, waiting longer each time; being online again ends a wait.
 *
 * @template T
 * @param {() => Promise<T>} act
 * @param {{onWait?: (error: Error, waitMs: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<T>}
 */
export async function untilAnswered(act, { onWait, signal } = {}) {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw error;
      const waitMs = waitAfter(/** @type {Error} */ (error), failures);
      onWait?.(/** @type {Error} */ (error), waitMs);
      await restOrOnline(waitMs, signal);
    }
  }
}

/**
 * Wait, but not longer than until the device is online again or the signal says so.
 *
 * @param {number} waitMs
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function restOrOnline(waitMs, signal) {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    addEventListener("online", end, { signal: done.signal });
    signal?.addEventListener("abort", end, { signal: done.signal });
  });
}

/** @param {Error} error @param {number} failures how many before this one */
function waitAfter(error, failures) {
  const asked = error instanceof Problem ? error.retryAfterMs : null;
  if (asked !== null) return asked;
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
}

/** @param {string} path @param {RequestInit} request */
async function send(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    throw new NetworkError(error);
  }
}

/** @param {Response} response */
async function read(response) {
  if (response.status === 204) return null;
  const text = await bodyOf(response);
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new NetworkError("The answer was cut off.");
    return null;
  }
}

/** @param {Response} response */
async function bodyOf(response) {
  try {
    return await response.text();
  } catch (error) {
    throw new NetworkError(error);
  }
}

/** What to say of a refusal that came from something in front of the service. @param {Response} response */
function unspoken(response) {
  return { code: "unknown", detail: `The server does not answer as it should (${response.status}).` };
}

/** @param {Response} response */
function retryAfterMs(response) {
  const seconds = Number(response.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}

/** @param {string} method @param {unknown} body */
function headersOf(method, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  return headers;
}

/** The cookie is asked first: signing in changes it, also from another tab. */
function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]*)/);
  const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="csrf-token"]'));
  return cookie?.[1] ?? meta?.content ?? "";
}
