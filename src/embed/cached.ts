import { FluxError } from "../model/errors.ts";
import type { Embedder, EmbedOptions } from "./embedder.ts";
import { SharedWork } from "./shared-work.ts";
import { checkTexts } from "./texts.ts";
import { VectorCache } from "./vector-cache.ts";
import { checkVectors } from "./vectors.ts";

export interface CacheOptions {
  /** Bytes that texts and vectors may take, about. Default 32,000,000: some 4,500 vectors of 1,536 dimensions. */
  readonly maxBytes?: number;
}

/**
 * Remembers the vectors of the texts used last, those of queries and of documents apart. A text that is being embedded is not
 * embedded a second time, neither for the same caller nor for another; when that fails, all who wait for it are told, and
 * nothing is remembered. The work of several callers ends when the last of them has aborted.
 *
 * @throws FluxError `invalid_argument` for a size below 0; from `embed`, `dimension_mismatch` for vectors of another number,
 *   type or length than they should have, of which none is remembered
 */
export function cached(embedder: Embedder, { maxBytes = 32_000_000 }: CacheOptions = {}): Embedder {
  if (!(maxBytes >= 0)) throw new FluxError("invalid_argument", "maxBytes must be 0 or more");
  const { id, dimensions } = embedder;
  const cache = new VectorCache(maxBytes);
  const pending = new Map<string, SharedWork>();

  const start = (texts: readonly string[], kind: EmbedOptions["kind"]): SharedWork => {
    const keys = texts.map((text) => keyOf(kind, text));
    const work = new SharedWork(async (signal) => {
      const answer = await embedder.embed([...texts], { kind, signal });
      const made = new Map<string, Float32Array>();
      for (const [i, vector] of checkVectors(answer, texts.length, dimensions).entries()) {
        // A copy, as the embedder may use the array again.
        const copy = vector.slice();
        const key = keys[i] as string;
        made.set(key, copy);
        cache.set(key, copy);
      }
      return made;
    });
    for (const key of keys) pending.set(key, work);
    work.ended(() => {
      for (const key of keys) if (pending.get(key) === work) pending.delete(key);
    });
    return work;
  };

  const embed = async (given: readonly string[], options: EmbedOptions): Promise<Float32Array[]> => {
    checkTexts(given, options);
    const texts = [...given];
    const { kind, signal } = options;
    const found = new Map<string, Float32Array>();
    const works = new Set<SharedWork>();
    const missing = [...new Set(texts)].filter((text) => {
      const key = keyOf(kind, text);
      const vector = cache.get(key);
      const work = pending.get(key);
      if (vector !== undefined) found.set(key, vector);
      else if (work !== undefined) works.add(work);
      else return true;
      return false;
    });
    if (missing.length > 0) works.add(start(missing, kind));
    for (const made of await Promise.all([...works].map((work) => work.join(signal))))
      for (const [key, vector] of made) found.set(key, vector);
    // A copy each, so that no caller can change what another gets.
    return texts.map((text) => (found.get(keyOf(kind, text)) as Float32Array).slice());
  };

  const related = embedder.related?.bind(embedder);
  return related === undefined ? { id, dimensions, embed } : { id, dimensions, embed, related };
}

function keyOf(kind: EmbedOptions["kind"], text: string): string {
  return `${kind} ${text}`;
}
