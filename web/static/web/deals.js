// Deals from their codes, version 1 for ever, and the promise made about a day's deal: what the server computes, here.

import { RANKS, SUITS } from "./rules.js";

const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_SYMBOLS = 15;
const CODE = new RegExp(`^PYR1${`-?([${SYMBOLS}]{4})`.repeat(4)}$`);
const LOOKALIKES = /** @type {Record<string, string>} */ ({ O: "0", I: "1", L: "1" });

/** Ace to king of clubs, then diamonds, hearts and spades. */
const FULL_DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** No deal can be read from this input. The message is a sentence for people. */
export class BadCode extends Error {
  /**
   * @param {"malformed_code" | "bad_check_symbol" | "bad_number"} code  Why, for programs.
   * @param {unknown} text  As it was given.
   * @param {string} message
   */
  constructor(code, text, message) {
    super(message);
    this.name = "BadCode";
    this.code = code;
    this.text = text;
  }
}

/** The browser gives no SHA-256, because the page came over plain http from another machine. */
export class NotSecure extends Error {
  constructor() {
    super("Dealing by code needs a secure connection: open this page by https, or on the machine itself by localhost.");
    this.name = "NotSecure";
  }
}

/**
 * The code in canonical form. Lower case, missing hyphens, O for 0 and I or L for 1 are understood; white space around
 * it is not. Throws BadCode (malformed_code, bad_check_symbol).
 * @param {string} text
 */
export async function readCode(text) {
  const symbols = readSymbols(text);
  if (symbols.at(-1) !== (await checkSymbol(symbols.slice(0, -1)))) {
    const message = "The deal code has a typing error: its last symbol does not fit.";
    throw new BadCode("bad_check_symbol", text, message);
  }
  return written(symbols);
}

/**
 * The code of the deal with this number, 1 to 2^53 - 1. Throws BadCode (bad_number).
 * @param {number} number
 */
export async function codeOfNumber(number) {
  if (!Number.isSafeInteger(number) || number < 1) {
    const message = `A deal's number is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`;
    throw new BadCode("bad_number", number, message);
  }
  return complete(digitsOf(number).padStart(RANDOM_SYMBOLS, "0"));
}

/** The code of a deal that nobody knows yet. */
export async function randomCode() {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_SYMBOLS));
  return complete(Array.from(bytes, (byte) => SYMBOLS[byte & 31]).join(""));
}

/**
 * The 52 cards of a code's deal, with single spaces in dealing order. Throws BadCode.
 * @param {string} text
 */
export async function deckOf(text) {
  const stream = bytesOf(await readCode(text));
  const deck = [...FULL_DECK];
  for (let i = 51; i > 0; i--) {
    const j = await drawBelow(i + 1, stream);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck.join(" ");
}

/**
 * What is published before a day opens: SHA-256, in hex, of `pyramid-daily/1|DATE|RULES|SALT|DECK`.
 * @param {string} date  Such as 2026-11-30.
 * @param {string} rules  The slug.
 * @param {string} salt
 * @param {string} deck
 */
export async function commitmentOf(date, rules, salt, deck) {
  const digest = await sha256(`pyramid-daily/1|${date}|${rules}|${salt}|${deck}`);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {unknown} text */
function readSymbols(text) {
  // Only ASCII may be upper-cased: other alphabets have letters whose upper case is one of ours.
  const isAscii = typeof text === "string" && /^[\x20-\x7e]+$/.test(text);
  const match = isAscii && CODE.exec(text.toUpperCase().replace(/[OIL]/g, (letter) => LOOKALIKES[letter]));
  if (!match) throw new BadCode("malformed_code", text, "A deal code looks like PYR1-0000-0000-0000-0017.");
  return match.slice(1).join("");
}

/** @param {number} number */
function digitsOf(number) {
  let digits = "";
  for (let rest = number; rest; rest = Math.floor(rest / 32)) digits = SYMBOLS[rest % 32] + digits;
  return digits;
}

/** @param {string} symbols */
async function complete(symbols) {
  return written(symbols + (await checkSymbol(symbols)));
}

/** @param {string} symbols */
function written(symbols) {
  return ["PYR1", ...(symbols.match(/.{4}/g) ?? [])].join("-");
}

/** @param {string} symbols */
async function checkSymbol(symbols) {
  return SYMBOLS[(await sha256(symbols))[0] % 32];
}

/** @param {string} code @returns {AsyncGenerator<number, never>} */
async function* bytesOf(code) {
  for (let block = 0; ; block++) yield* await sha256(`${code}:${block}`);
}

/** @param {number} limit @param {AsyncGenerator<number, never>} stream */
async function drawBelow(limit, stream) {
  // Bytes from the incomplete last run of `limit` values would favour the low ones.
  const fair = 256 - (256 % limit);
  let { value } = await stream.next();
  while (value >= fair) ({ value } = await stream.next());
  return value % limit;
}

/** @param {string} text */
async function sha256(text) {
  if (!crypto.subtle) throw new NotSecure();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
