import type { Context, MiddlewareHandler } from "hono";
import type { ExportLine } from "../../flux/export-line.ts";
import { FluxError } from "../../model/errors.ts";
import { readBytes, readLines } from "../protocol/lines.ts";
import { HttpError, notJson, unsupportedType } from "./problem.ts";

/** Bytes of a JSON body. A batch has at most 16 MB of text, which escapes can make larger. */
const maxBodyBytes = 32 * 2 ** 20;
/** Values in a JSON body: 32 MB of empty lists, parsed and looked at, would take gigabytes and most of a minute. */
const maxBodyValues = 100_000;
/** UTF-16 units of a line of an import. */
const maxLineLength = 32 * 2 ** 20;

/**
 * Reads the body of a request that has one, before it is parsed: JSON, in UTF-8, not too large and not too slow. No web page can send
 * this content type to another origin without being allowed to.
 *
 * @param patience milliseconds for the whole body
 */
export function jsonBody(patience: number): MiddlewareHandler {
  return async (c, next) => {
    const declared = c.req.header("content-length");
    const hasBody =
      (declared !== undefined && declared !== "0") || c.req.header("transfer-encoding") !== undefined;
    const type = c.req.header("content-type");
    if (type !== undefined && !/^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type))
      throw unsupportedType();
    if (hasBody && type === undefined) throw unsupportedType();
    if (Number(declared) > maxBodyBytes) throw tooLarge();
    const { body } = c.req.raw;
    if (body !== null && type !== undefined) {
      const deadline = AbortSignal.timeout(patience);
      const text = decode(await collect(timed(readBytes(body), () => deadline)));
      // Where Hono looks for a body that was read before; its types leave the promise out.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    }
    await next();
  };
}

/** Of a route that takes none. What is in a body there would be lost without a word. */
export async function refuseBody(c: Context): Promise<void> {
  const text = await c.req.text();
  if (text !== "" && text.trim() !== "{}") throw new FluxError("invalid_argument", "This path takes no body");
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBodyBytes) throw tooLarge();
    all.push(chunk);
  }
  return Buffer.concat(all, size);
}

function tooLarge(): FluxError {
  return new FluxError("too_large", `A body has at most ${maxBodyBytes} bytes`);
}

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Whether JSON has more values than a number, told before it is parsed; an empty list or object counts twice. */
function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  // A value takes a byte at least, and a comma or a bracket.
  if (bytes.length <= 2 * most) return false;
  let values = 1;
  let inString = false;
  for (let i = 0; i < bytes.length && values <= most; i++) {
    const byte = bytes[i];
    if (byte === quote) inString = !inString;
    else if (!inString) values += byte === comma || byte === bracket || byte === brace ? 1 : 0;
    else if (byte === backslash) i += 1;
  }
  return values > most;
}

function decode(bytes: Uint8Array): string {
  if (hasMoreValues(bytes, maxBodyValues))
    throw new FluxError("too_large", `A body has at most ${maxBodyValues} JSON values`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Not every request needs a body.
    if (text !== "") JSON.parse(text);
    return text;
  } catch {
    throw notJson();
  }
}

/** Chunks, as long as each comes before the deadline that holds when it is waited for. */
async function* timed(
  chunks: AsyncIterable<Uint8Array>,
  deadlineOf: () => AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await before(deadlineOf(), iterator.next().catch(brokenOff));
      if (result.done) return;
      yield result.value;
    }
  } finally {
    // Not awaited: a body that does not come would hold this up.
    iterator.return?.().catch(() => undefined);
  }
}

function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(tooSlow());
    deadline.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", stop));
    if (deadline.aborted) stop();
  });
}

/** The client went away in the middle: nobody hears the answer, and nobody else is to hear of it. */
function brokenOff(): never {
  throw new FluxError("invalid_argument", "The body broke off");
}

function tooSlow(): HttpError {
  const error = new FluxError("timeout", "The body did not arrive in time", { retryable: true });
  return new HttpError(408, error, { connection: "close" });
}

/**
 * The lines of an import as they arrive.
 *
 * @param patience milliseconds to wait for each part
 */
export async function* importLines(c: Context, patience: number): AsyncGenerator<ExportLine> {
  const type = c.req.header("content-type");
  if (!/^application\/x-ndjson *(?:;.*)?$/i.test(type ?? "")) throw unsupportedType("application/x-ndjson");
  const { body } = c.req.raw;
  if (body === null) return;
  let number = 0;
  const chunks = timed(readBytes(body), () => AbortSignal.timeout(patience));
  const lines = readLines(chunks, {
    maxLength: maxLineLength,
    tooLong: () =>
      new FluxError("too_large", `Line ${number + 1} is longer than ${maxLineLength} characters`),
  });
  try {
    for await (const line of lines) {
      number += 1;
      if (line.trim() !== "") yield parse(line, number);
    }
  } catch (error) {
    // Of the decoder.
    if (error instanceof TypeError && !FluxError.isInstance(error))
      throw new FluxError("invalid_argument", `Line ${number + 1} is not UTF-8`);
    throw error;
  }
}

function parse(line: string, number: number): ExportLine {
  try {
    return JSON.parse(line);
  } catch {
    throw new FluxError("invalid_argument", `Line ${number} is not JSON`);
  }
}
