import { md5 } from "@noble/hashes/legacy.js";
import type { Embedder, EmbedOptions } from "./embedder.ts";
import { normalise } from "./normalise.ts";
import { checkTexts } from "./texts.ts";

const buckets = 32;
const shingleLength = 3;
const encoder = new TextEncoder();

/**
 * Counts the groups of three characters of the lower-case text in 32 buckets, the bucket of a group being its MD5 modulo 32.
 * The embedder of `new VectorMemory()`: small, the same everywhere, and blind to meaning. No component is negative, so a
 * cosine lies between 0 and 1. A text of fewer than three characters has the zero vector.
 */
export class ShingleHashEmbedder implements Embedder {
  readonly id = "shingle-hash/1";
  readonly dimensions = buckets;

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    checkTexts(texts, options);
    // Texts of one call share many shingles; MD5 is what takes the time.
    const bucketOf = remembering(md5Bucket);
    return texts.map((text) => {
      const vector = new Float32Array(buckets);
      const characters = [...text.toLowerCase()];
      for (let i = 0; i + shingleLength <= characters.length; i++) {
        const bucket = bucketOf(characters.slice(i, i + shingleLength).join(""));
        vector[bucket] = (vector[bucket] ?? 0) + 1;
      }
      return normalise(vector);
    });
  }
}

/** The digest as a big-endian number modulo 32: the low five bits of its last byte. */
function md5Bucket(shingle: string): number {
  return (md5(encoder.encode(shingle)).at(-1) ?? 0) % buckets;
}

function remembering(compute: (key: string) => number): (key: string) => number {
  const known = new Map<string, number>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
