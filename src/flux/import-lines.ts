import { checkFunction } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { head } from "../store/read.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import type { ExportLine, ImportPart } from "./export-line.ts";
import type { ImportOptions, ImportReport } from "./flux-memory.ts";
import { type ImportedLine, LineReader } from "./line-reader.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { restoreBatch } from "./restore-batch.ts";
import type { Scope } from "./scope.ts";
import { storeLines } from "./store-lines.ts";

/** Lines of one commit, and the JSON of them in UTF-16 units after which it is full. */
const batchLines = 500;
const batchUnits = 4 * 1024 * 1024;

/** Stores the lines of an export, a batch in each commit. */
export async function importLines(
  parts: FluxParts,
  scope: Scope,
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
  options: ImportOptions,
  run: Run,
): Promise<ImportReport> {
  const { operation, signal, onProgress } = checkKnown(options, names.import);
  if (operation !== undefined) checkId(operation, "operation");
  checkSignal(signal);
  checkFunction(onProgress, "onProgress");
  if (!isIterable(lines))
    throw new FluxTypeError("invalid_argument", `lines must be iterable, not ${describe(lines)}`);
  signal?.throwIfAborted();
  const [state] = await run(() => parts.ledger.read([scope.partition], [head()], { signal }), { signal });
  // After an erasure the same import is another operation: what it took may be brought back.
  const { generation = 0, records = 0, seq = 0 } = state ?? {};
  let begun = records > 0 ? seq : 0;
  const renamed = new Map<string, string>();
  let level = 0;
  let counts: readonly [number, number, number, number] = [0, 0, 0, 0];
  let number = 0;
  const reader = new LineReader(scope);
  for await (const { batch, version, exportedAt, part } of batches(lines, reader)) {
    signal?.throwIfAborted();
    if (number === 0) {
      begun = part?.begun ?? begun;
      for (const { name, id } of part?.renamed ?? []) renamed.set(name, id);
    }
    const request = base32(digest(...batch.map(({ digest }) => digest)).subarray(0, 20));
    const name = operation === undefined ? [generation, request] : [operation];
    const key = base32(digest(JSON.stringify([...name, number])).subarray(0, 16));
    number += 1;
    const call = { operation: `import/${key}`, request, signal };
    const done = await run(
      async () => {
        if (version === 1) return { counts: await storeLines(parts, scope, batch, call), level, begun };
        const restored = batch.flatMap(({ restored, nth }) =>
          restored === undefined ? [] : [{ ...restored, nth }],
        );
        const known = { begun, renewed: generation > 0, renamed, level, exportedAt };
        return restoreBatch(parts, scope, restored, { ...call, ...known });
      },
      { signal },
    );
    ({ level, begun } = done);
    counts = added(counts, done.counts);
    onProgress?.(reportOf(counts));
  }
  const report = reportOf(counts);
  if (reader.part === undefined) return report;
  return { ...report, part: { begun, renamed: Array.from(renamed, ([name, id]) => ({ name, id })) } };
}

type Counts = readonly [stored: number, there: number, expired: number, conflicts: number];

function added(a: Counts, b: Counts): Counts {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
}

function reportOf([stored, mentioned, expired, conflicts]: Counts): ImportReport {
  return { stored, mentioned, expired, conflicts };
}

function isIterable(lines: unknown): boolean {
  const { [Symbol.asyncIterator]: async, [Symbol.iterator]: sync } = Object(lines);
  return typeof lines === "object" && (typeof async === "function" || typeof sync === "function");
}

interface Batch {
  readonly batch: readonly ImportedLine[];
  /** Of the header before them. */
  readonly version: 1 | 2;
  readonly exportedAt: number;
  readonly part: ImportPart | undefined;
}

/** The lines behind headers, as many together as one commit takes. */
async function* batches(
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
  reader: LineReader,
): AsyncGenerator<Batch> {
  let batch: ImportedLine[] = [];
  let units = 0;
  let number = 0;
  for await (const given of lines) {
    number += 1;
    const { version, exportedAt, part } = reader;
    const line = readLine(given, number, reader);
    const full = batch.length === batchLines || units + (line?.units ?? 0) > batchUnits;
    // Lines of two exports are no batch.
    if (batch.length > 0 && (full || line === undefined)) {
      yield { batch, version, exportedAt, part };
      batch = [];
      units = 0;
    }
    if (line === undefined) continue;
    batch.push(line);
    units += line.units;
  }
  const { version, exportedAt, part } = reader;
  if (batch.length > 0) yield { batch, version, exportedAt, part };
}

/** A line, or undefined for a header. */
function readLine(given: unknown, number: number, reader: LineReader): ImportedLine | undefined {
  try {
    return reader.read(given);
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    throw new FluxError(code, `Line ${number}: ${message}`, {
      hint: `${hint === undefined ? "" : `${hint} `}What the batches before it held is stored, and an import that is done again goes on behind it.`,
      cause: error,
    });
  }
}
