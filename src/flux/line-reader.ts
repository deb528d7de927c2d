import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { canonicalJson, copyJson, isPlainObject } from "../model/json.ts";
import { optionNames } from "../model/options.ts";
import { maxRecordBytes } from "../store/records.ts";
import { checkKnown, checkTime } from "./check-options.ts";
import { exportVersion, type HeaderLine, type ImportPart } from "./export-line.ts";
import { type CheckedRecord, checkRecord, markOf } from "./imported-line.ts";
import { maxRenamed } from "./renamed-ids.ts";
import { type RestoredLine, restoredLine } from "./restored-line.ts";
import type { Scope } from "./scope.ts";

/** A line as checked. */
export interface ImportedLine {
  /** Of a version 1. */
  readonly record?: CheckedRecord;
  /** Of a version 2. */
  readonly restored?: RestoredLine;
  /** Of a message or an episode: how many of those before it in the import are the same, itself included. */
  readonly nth: number;
  /** Tells the line from others. */
  readonly digest: string;
  /** UTF-16 units of its JSON. */
  readonly units: number;
}

const headerNames = optionNames<HeaderLine>({ type: true, version: true, exportedAt: true, part: true });
const partNames = optionNames<ImportPart>({ begun: true, renamed: true });

/** A record of the most bytes that the ledger takes, all of them escaped in JSON. */
const maxLineUnits = 6 * maxRecordBytes;

/** What is said at one moment stands together in an export: more need not be remembered to count it. */
const maxSeen = 100_000;

/** Reads the lines of an export one by one, each by the header before it. */
export class LineReader {
  readonly #scope: Scope;
  /** How often each of the latest messages and episodes has been in the import. */
  readonly #seen = new Map<string, number>();
  #header: HeaderLine | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Of the header that was read last. */
  get version(): 1 | 2 {
    return this.#header?.version === 1 ? 1 : 2;
  }

  get exportedAt(): number {
    return this.#header?.exportedAt ?? 0;
  }

  get part(): ImportPart | undefined {
    return this.#header?.part;
  }

  /**
   * Checks a line; undefined for a header.
   *
   * @throws FluxTypeError or FluxError as `storeBatch`
   */
  read(given: unknown): ImportedLine | undefined {
    const { copy, problem } = copyJson(given);
    if (problem !== undefined) throw new FluxTypeError("invalid_argument", `It ${problem}`);
    const { type } = Object(copy) as { readonly type?: unknown };
    if (type === "flux-memory") {
      this.#header = checkHeader(copy as object);
      return undefined;
    }
    if (this.#header === undefined) {
      throw new FluxError("invalid_argument", "This is no export of a memory: it has no header", {
        hint: `The first line of an export is {"type":"flux-memory","version":${exportVersion},…}.`,
      });
    }
    const json = canonicalJson(copy);
    if (json.length > maxLineUnits)
      throw new FluxError("too_large", `A line has at most ${maxLineUnits} characters`);
    const common = { digest: base32(digest(json).subarray(0, 16)), units: json.length };
    if (!isPlainObject(copy))
      throw new FluxTypeError("invalid_argument", `A line must be an object, not ${describe(copy)}`);
    if (this.version === 2) {
      const restored = restoredLine(copy, this.#scope);
      return { ...common, restored, nth: this.#nth(restored.type === "record" ? restored.mark : undefined) };
    }
    const record = checkRecord(copy, this.#scope);
    return { ...common, record, nth: this.#nth(markOf(record)) };
  }

  #nth(mark: string | undefined): number {
    if (mark === undefined) return 1;
    const nth = (this.#seen.get(mark) ?? 0) + 1;
    // Behind all others again.
    this.#seen.delete(mark);
    this.#seen.set(mark, nth);
    const [oldest] = this.#seen.size > maxSeen ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return nth;
  }
}

function checkHeader(given: object): HeaderLine {
  const { version } = given as HeaderLine;
  if (Number.isSafeInteger(version) && version > exportVersion) {
    throw new FluxError("outdated", "A newer version of flux-memory is needed to import this", {
      hint: `The export has version ${version}, this version of flux-memory reads ${exportVersion}: upgrade it.`,
    });
  }
  if (version !== 1 && version !== 2) throw new FluxError("invalid_argument", "The header has no version");
  const header = checkKnown(given, headerNames, "The header") as HeaderLine;
  checkTime(header.exportedAt, "exportedAt");
  if (header.part !== undefined) checkPart(header.part);
  return header;
}

function checkPart(given: ImportPart): void {
  const { begun = 0, renamed = [] } = checkKnown(given, partNames, "The part of a header");
  checkWhole(begun, "begun", 0, Number.MAX_SAFE_INTEGER);
  if (!Array.isArray(renamed) || renamed.length > maxRenamed || !renamed.every(isRename))
    throw new FluxError("invalid_argument", `renamed must be a list of at most ${maxRenamed} names with ids`);
}

function isRename(given: unknown): boolean {
  const { name, id } = Object(given) as { readonly name?: unknown; readonly id?: unknown };
  return typeof name === "string" && typeof id === "string";
}
