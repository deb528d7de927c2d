import { FluxError } from "../../model/errors.ts";
import type { RelatedWord } from "../embedder.ts";
import { letterGroups } from "./letter-groups.ts";
import { PackedVectors, type ScaleSeries } from "./packed-vectors.ts";
import { blockSize, WordList } from "./word-list.ts";

/** What a table says about itself, as JSON in front of its sections. */
export interface WordTableHeader {
  /** Version of the layout. */
  readonly format: 1;
  readonly name: string;
  /** SHA-256 of the sections, its first 16 hexadecimal digits. */
  readonly hash: string;
  /** Even. */
  readonly dimensions: number;
  /** How many words; at most 65,536. */
  readonly words: number;
  /** How many rows the table of letter groups has, for words that are not in the list. */
  readonly groups: number;
  readonly wordScales: ScaleSeries;
  readonly groupScales: ScaleSeries;
  /** Lengths in bytes, in this order; each section starts at a multiple of four. */
  readonly sections: Readonly<Record<SectionName, number>>;
}

export const sectionNames = [
  "words", // front coded, see WordList
  "blocks", // uint32: where each block of words starts
  "codes", // half a byte a component, see PackedVectors
  "scales", // a byte a word
  "groupCodes",
  "groupScales", // a byte a row
  "relatedCounts", // a byte a word
  "related", // uint16: places of the related words, word after word
  "similarities", // a byte each: cosine · 255
] as const;

export type SectionName = (typeof sectionNames)[number];

/** "FLUX" */
export const magic = 0x58554c46;

/**
 * A table of word vectors: the words, a vector for each, vectors of letter groups for other words, and the words of nearly the
 * same meaning. It works on the bytes as they are, so opening it takes no time to speak of. Numbers are little-endian.
 */
export class WordTable {
  readonly id: string;
  readonly dimensions: number;
  readonly #words: WordList;
  readonly #vectors: PackedVectors;
  readonly #groupVectors: PackedVectors;
  readonly #groups: number;
  readonly #relatedStarts: Uint32Array;
  readonly #related: Uint16Array;
  readonly #similarities: Uint8Array;

  /** @throws FluxError `storage_corrupt` if the bytes are no such table, or not all of one */
  constructor(bytes: Uint8Array) {
    const { header, sections } = open(bytes);
    this.id = `${header.name};${header.hash}`;
    this.dimensions = header.dimensions;
    this.#groups = header.groups;
    this.#words = new WordList(sections.words, wide(sections.blocks), header.words);
    this.#vectors = new PackedVectors(header.dimensions, sections.codes, sections.scales, header.wordScales);
    const { groupCodes, groupScales } = sections;
    this.#groupVectors = new PackedVectors(header.dimensions, groupCodes, groupScales, header.groupScales);
    this.#relatedStarts = startsOf(sections.relatedCounts);
    const { buffer, byteOffset, byteLength } = sections.related;
    this.#related = new Uint16Array(buffer, byteOffset, byteLength / 2);
    this.#similarities = sections.similarities;
  }

  /** The place of a word, in lower case and without accents; -1 if it has none. */
  indexOf(word: string): number {
    return this.#words.indexOf(word);
  }

  /** Adds the vector of the word at a place to a sum. It carries the weight that the word has in a text. */
  addWord(sum: Float32Array, index: number): void {
    this.#vectors.addTo(sum, index);
  }

  /** Adds a vector for a word without a place, times a factor: the mean of those of its letter groups. */
  addUnknown(sum: Float32Array, word: string, factor = 1): void {
    const groups = letterGroups(word, this.#groups);
    for (const group of groups) this.#groupVectors.addTo(sum, group, factor / groups.length);
  }

  related(word: string, limit: number): RelatedWord[] {
    const index = this.indexOf(word);
    if (index < 0) return [];
    const start = this.#relatedStarts[index] ?? 0;
    const end = Math.min(this.#relatedStarts[index + 1] ?? 0, start + Math.max(0, Math.floor(limit)));
    const found: RelatedWord[] = [];
    for (let i = start; i < end; i++) {
      const similarity = (this.#similarities[i] ?? 0) / 255;
      found.push({ word: this.#words.at(this.#related[i] ?? 0), similarity });
    }
    return found;
  }
}

function open(bytes: Uint8Array): {
  header: WordTableHeader;
  sections: Record<SectionName, Uint8Array>;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== magic) throw corrupt();
  const headerEnd = 8 + view.getUint32(4, true);
  const header = parse(bytes.subarray(8, headerEnd));
  if (header?.format !== 1) throw corrupt();
  const sections = {} as Record<SectionName, Uint8Array>;
  let start = aligned(headerEnd);
  for (const name of sectionNames) {
    const length = header.sections[name];
    if (start + length > bytes.byteLength) throw corrupt();
    sections[name] = bytes.subarray(start, start + length);
    start = aligned(start + length);
  }
  if (sections.blocks.byteLength !== 4 * Math.ceil(header.words / blockSize)) throw corrupt();
  return { header, sections };
}

function parse(bytes: Uint8Array): WordTableHeader | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as WordTableHeader;
  } catch {
    return undefined;
  }
}

function corrupt(): FluxError {
  const hint = "Install the package again.";
  return new FluxError("storage_corrupt", "The table of word vectors cannot be read", { hint });
}

/** Sections start at multiples of four, so that their numbers can be read in place. */
export function aligned(position: number): number {
  return Math.ceil(position / 4) * 4;
}

function wide(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

function startsOf(counts: Uint8Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) starts[i + 1] = (starts[i] ?? 0) + (counts[i] ?? 0);
  return starts;
}
