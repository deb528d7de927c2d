import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { repairText, utf8Length } from "../model/unicode.ts";
import { checkObject } from "./checks.ts";
import type { Head, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import { names } from "./option-names.ts";
import { recordTables } from "./schema.ts";
import type { GrainEntries, IndexEntry } from "./search.ts";
import type { Row } from "./table.ts";

/** Terms of one entry. A text that long belongs into several grains. */
const maxTerms = 65_536;

/** UTF-8 bytes of a term as it is stored; a longer one keeps its beginning and gets a digest. */
const maxTermBytes = 128;
const keptUnits = 24;

export const maxDimensions = 16_000;

/** How far the length of a vector may be from 1: more than 32-bit numbers lose, less than anybody could mean. */
const lengthTolerance = 1e-3;

/**
 * Checks index entries and copies what they hold.
 *
 * @param spaces the spaces that the caller knows of
 * @throws FluxTypeError or FluxError `invalid_argument`; `too_large`
 */
export function checkEntries(
  entries: readonly IndexEntry[],
  spaces: readonly number[] | undefined,
): readonly IndexEntry[] {
  if (!Array.isArray(entries))
    throw new FluxTypeError("invalid_argument", `index must be a list, not ${describe(entries)}`);
  if (!Array.isArray(spaces)) {
    throw new FluxError("invalid_argument", "Index entries need the list of spaces that they were made for", {
      hint: "Give spaces: the ids of all spaces that are not retired.",
    });
  }
  const seen = new Set<number>();
  return Array.from(entries, (entry: IndexEntry): IndexEntry => {
    const { space } = checkObject(entry, "entry", names.entry);
    if (!spaces.includes(space)) {
      throw new FluxError("invalid_argument", "An index entry must be for one of the spaces");
    }
    if (seen.has(space))
      throw new FluxError("invalid_argument", "A grain has at most one index entry in a space");
    seen.add(space);
    return "terms" in entry
      ? { space, terms: entryTerms(entry.terms) }
      : { space, vector: checkVector(entry.vector) };
  });
}

function entryTerms(terms: readonly string[]): readonly string[] {
  const stored = checkTerms(terms);
  if (stored.length > maxTerms) {
    throw new FluxError("too_large", `An index entry has at most ${maxTerms} terms`, {
      hint: "Make several grains of the text, each with its span.",
    });
  }
  return stored;
}

/**
 * Terms as every backend stores them, the same for what is indexed and what is asked.
 *
 * @throws FluxTypeError `invalid_argument`
 */
export function checkTerms(terms: readonly string[]): readonly string[] {
  if (!Array.isArray(terms) || !Array.from(terms).every((term) => typeof term === "string" && term !== "")) {
    throw new FluxTypeError("invalid_argument", "terms must be a list of strings that are not empty");
  }
  return terms.map(storedTerm);
}

function storedTerm(term: string): string {
  // No term has white space: it separates them where a list of terms is one text.
  const repaired = repairText(term).replaceAll(/\s/gu, "\u00b7");
  if (repaired.length <= maxTermBytes / 4 || utf8Length(repaired) <= maxTermBytes) return repaired;
  return `${repaired.slice(0, keptUnits).toWellFormed()}#${base32(digest(repaired).subarray(0, 16))}`;
}

/** @throws FluxTypeError or FluxError `invalid_argument` unless it is a Float32Array of finite numbers, of length 1 or all 0 */
export function checkVector(vector: Float32Array): Float32Array {
  if (!(vector instanceof Float32Array) || vector.length === 0) {
    throw new FluxTypeError(
      "invalid_argument",
      `A vector must be a Float32Array that is not empty, not ${describe(vector)}`,
    );
  }
  if (vector.length > maxDimensions)
    throw new FluxError("too_large", `A vector has at most ${maxDimensions} numbers`);
  if (!vector.every(Number.isFinite))
    throw new FluxTypeError("invalid_argument", "A vector holds finite numbers only");
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares !== 0 && !(Math.abs(Math.sqrt(squares) - 1) <= lengthTolerance)) {
    throw new FluxError("invalid_argument", "A vector must be of length 1, or all zero", {
      hint: "Divide each number by the square root of the sum of their squares.",
    });
  }
  return vector.slice();
}

/** @throws FluxError `index_changed` when the store has other spaces than the caller knew */
export function checkSpaces(known: readonly number[], rows: readonly Row[]): void {
  if (known.length === rows.length && rows.every(({ id }) => known.includes(id as number))) return;
  throw new FluxError("index_changed", "The store has other search indexes by now", {
    hint: "Nothing was written. List the spaces, make the index entries for them, and try again.",
    retryable: true,
  });
}

/** @throws FluxError `invalid_argument` when terms go to a dense space or a vector to a lexical one; `dimension_mismatch` */
export function checkDimensions(entry: IndexEntry, rows: readonly Row[]): void {
  const dimensions = rows.find(({ id }) => id === entry.space)?.dimensions as number;
  if ("terms" in entry === dimensions > 0)
    throw new FluxError("invalid_argument", "Terms go to lexical spaces, and vectors to dense ones");
  if ("vector" in entry && entry.vector.length !== dimensions) {
    throw new FluxError(
      "dimension_mismatch",
      `The space takes vectors of ${dimensions} numbers, not of ${entry.vector.length}`,
    );
  }
}

/** @throws FluxError `dimension_mismatch` for a search with a vector that the space cannot be compared with */
export function checkQueryVector(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw new FluxError(
    "dimension_mismatch",
    `The space is searched with vectors of ${dimensions} numbers, not of ${vector.length}`,
  );
}

/** Checks what `Ledger.index` is given. */
export function checkGrainEntries(
  grains: readonly GrainEntries[],
  spaces: readonly number[],
): readonly GrainEntries[] {
  if (!Array.isArray(grains))
    throw new FluxTypeError("invalid_argument", `grains must be a list, not ${describe(grains)}`);
  return Array.from(grains, (grain: GrainEntries) => {
    const { grainId, entries, updatedSeq } = checkObject(grain, "grain", names.entries);
    if (updatedSeq !== undefined && !Number.isSafeInteger(updatedSeq))
      throw new FluxTypeError("invalid_argument", "updatedSeq must be that of a grain");
    return { grainId: checkId(grainId, "grainId"), entries: checkEntries(entries, spaces), updatedSeq };
  });
}

/** Puts entries into the index for grains that are still there, as they were; how many were. Writes no record, and so no change. */
export function indexGrains(
  grains: readonly GrainEntries[],
  spaces: readonly number[],
  now: number,
): Transaction<number> {
  return function* (head: Head): Reading<Outcome<number>> {
    const table = recordTables.grain;
    const columns = ["id", "updatedSeq"];
    const found = yield [
      { type: "spaces" },
      ...grains.map(({ grainId }): RowRead => ({ type: "get", table, key: [grainId], columns, now })),
    ];
    const [live = [], ...rows] = found;
    checkSpaces(spaces, live);
    const present = grains.filter(({ updatedSeq }, i) => {
      const [row] = rows[i] ?? [];
      return row !== undefined && (updatedSeq === undefined || updatedSeq === row.updatedSeq);
    });
    const writes = present.flatMap(({ grainId, entries }) =>
      entries.map((entry): RowWrite => {
        checkDimensions(entry, live);
        return { type: "index", grainId, entry };
      }),
    );
    return { head, writes, changes: [], value: present.length };
  };
}
