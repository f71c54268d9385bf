/**
 * Values kept in this browser as JSON. Nothing here throws: a browser may forbid storage, be full, or hold
 * what somebody else wrote.
 *
 * @module
 */

/**
 * What is kept under a key, null where nothing is or nothing that can be read.
 *
 * @param {string} key
 * @returns {unknown}
 */
export function readKept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean} whether it could be kept
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // What cannot be reached cannot be forgotten, nor was it ever read.
  }
}

/**
 * Whether a value read from storage is an object with fields.
 *
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
