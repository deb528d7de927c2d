// Writes a table in the form that src/embed/static reads.
import { createHash } from "node:crypto";
import type { ScaleSeries } from "../../src/embed/static/packed-vectors.ts";
import { blockSize } from "../../src/embed/static/word-list.ts";
import { aligned, magic, type SectionName, sectionNames } from "../../src/embed/static/word-table.ts";
import { dot, type Vector } from "./algebra.ts";
import type { Related } from "./related.ts";

export interface TableContent {
  readonly name: string;
  readonly words: readonly string[];
  readonly vectors: readonly Vector[];
  readonly groupVectors: readonly Vector[];
  /** For the first so many words. */
  readonly related: readonly (readonly Related[])[];
}

export function packTable(content: TableContent): Buffer {
  const { name, words, vectors, groupVectors } = content;
  // The list is sorted; related words are places in it.
  const order = words.map((_, i) => i).sort((a, b) => ((words[a] as string) < (words[b] as string) ? -1 : 1));
  const places = new Uint16Array(words.length);
  order.forEach((word, place) => {
    places[word] = place;
  });
  const related = order.map((word) => content.related[word] ?? []);
  const list = packWords(order.map((word) => words[word] as string));
  const wordVectors = packVectors(order.map((word) => vectors[word] as Vector));
  const groups = packVectors(groupVectors);
  const relatedPlaces = Uint16Array.from(related.flat(), ({ word }) => places[word] as number);
  const sections: Record<SectionName, Uint8Array> = {
    words: list.bytes,
    blocks: new Uint8Array(list.starts.buffer),
    codes: wordVectors.codes,
    scales: wordVectors.scales,
    groupCodes: groups.codes,
    groupScales: groups.scales,
    relatedCounts: Uint8Array.from(related, (list) => list.length),
    related: new Uint8Array(relatedPlaces.buffer),
    similarities: Uint8Array.from(related.flat(), ({ cosine }) => Math.round(Math.min(cosine, 1) * 255)),
  };
  const hash = createHash("sha256");
  for (const section of sectionNames) hash.update(sections[section]);
  const header = {
    format: 1,
    name,
    hash: hash.digest("hex").slice(0, 16),
    dimensions: vectors[0]?.length ?? 0,
    words: words.length,
    groups: groupVectors.length,
    wordScales: wordVectors.series,
    groupScales: groups.series,
    sections: Object.fromEntries(sectionNames.map((section) => [section, sections[section].byteLength])),
  };
  const json = Buffer.from(JSON.stringify(header));
  const front = Buffer.alloc(8);
  front.writeUInt32LE(magic, 0);
  front.writeUInt32LE(json.byteLength, 4);
  const parts = [Buffer.concat([front, json]), ...sectionNames.map((section) => sections[section])];
  return Buffer.concat(parts.map(padded));
}

function padded(part: Uint8Array): Uint8Array {
  const whole = new Uint8Array(aligned(part.byteLength));
  whole.set(part);
  return whole;
}

export function packWords(words: readonly string[]): { bytes: Uint8Array; starts: Uint32Array } {
  const bytes: number[] = [];
  const starts: number[] = [];
  let before = "";
  words.forEach((word, i) => {
    if (i % blockSize === 0) {
      starts.push(bytes.length);
      before = "";
    }
    let shared = 0;
    while (shared < word.length && word[shared] === before[shared]) shared++;
    bytes.push(shared, word.length - shared, ...Buffer.from(word.slice(shared), "ascii"));
    before = word;
  });
  return { bytes: Uint8Array.from(bytes), starts: Uint32Array.from(starts) };
}

/** Steps between levels, as parts of the standard deviation: which of them is best differs from vector to vector. */
const widths = [0.28, 0.31, 0.34, 0.37];
/** Scales span a factor of 2^16, in 255 steps of 4.5 %. */
const ratio = 2 ** (16 / 255);

function packVectors(vectors: readonly Vector[]): {
  codes: Uint8Array;
  scales: Uint8Array;
  series: ScaleSeries;
} {
  const deviations = vectors.map((vector) => Math.sqrt(dot(vector, vector) / vector.length));
  const first = deviations.reduce((a, b) => Math.max(a, b), 0) * 0.4 * ratio ** -255;
  const size = vectors[0]?.length ?? 0;
  const codes = new Uint8Array((vectors.length * size) / 2);
  const scales = new Uint8Array(vectors.length);
  vectors.forEach((vector, place) => {
    let best = Number.POSITIVE_INFINITY;
    for (const width of widths) {
      const exact = Math.log(((deviations[place] as number) * width) / first) / Math.log(ratio);
      const step = Math.min(255, Math.max(0, Math.round(exact) || 0));
      const scale = first * ratio ** step;
      const levels = Array.from(vector, (value) =>
        Math.min(15, Math.max(0, Math.round(value / scale + 7.5))),
      );
      const error = levels.reduce(
        (sum, level, i) => sum + ((level - 7.5) * scale - (vector[i] as number)) ** 2,
        0,
      );
      if (error >= best) continue;
      best = error;
      scales[place] = step;
      for (let i = 0; i < size; i += 2)
        codes[(place * size + i) / 2] = (levels[i] as number) | ((levels[i + 1] as number) << 4);
    }
  });
  return { codes, scales, series: { first, ratio } };
}
