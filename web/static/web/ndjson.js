/**
 * Reads a stream of JSON objects, one a line.
 *
 * @module
 */

/**
 * The objects of an answer's body as they arrive. Throws SyntaxError for a line that is not JSON.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Record<string, any>>}
 */
export async function* objectsIn(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = done ? "" : /** @type {string} */ (lines.pop());
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
    if (done) return;
  }
}
