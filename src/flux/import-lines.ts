import { presentOf } from "../model/clock.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { utf8Length } from "../model/unicode.ts";
import { ownerText } from "../recall/owner-text.ts";
import { head } from "../store/read.ts";
import { checkFunction, checkKnown, checkSignal } from "./check-options.ts";
import type { ExportLine, ImportOptions, ImportReport } from "./flux-memory.ts";
import { type ImportCounts, importPlan } from "./import-plan.ts";
import { type ImportedLine, importedLine } from "./imported-line.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import { type Cut, commitDrafts, cutDrafts } from "./store-batch.ts";

/** Lines of one commit, and the text in them after which it is full. */
const batchLines = 500;
const batchBytes = 4 * 1024 * 1024;

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
  const [state] = await run(() => parts.ledger.read([scope.partition], [head()], { signal }));
  // After an erasure the same import is another operation: what it took may be brought back.
  const generation = state?.generation ?? 0;
  let report: ImportReport = { stored: 0, mentioned: 0, expired: 0 };
  let number = 0;
  for await (const batch of batches(lines, scope)) {
    signal?.throwIfAborted();
    const request = base32(digest(...batch.map(({ digest }) => digest)).subarray(0, 20));
    const name = operation === undefined ? [generation, request] : [operation];
    const key = base32(digest(JSON.stringify([...name, number])).subarray(0, 16));
    number += 1;
    const [stored, mentioned, expired] = await run(() =>
      storeLines(parts, scope, batch, { operation: `import/${key}`, request, signal }),
    );
    report = {
      stored: report.stored + stored,
      mentioned: report.mentioned + mentioned,
      expired: report.expired + expired,
    };
    onProgress?.(report);
  }
  return report;
}

async function storeLines(
  parts: FluxParts,
  { partition }: Scope,
  batch: readonly ImportedLine[],
  {
    operation,
    request,
    signal,
  }: { readonly operation: string; readonly request: string; readonly signal: AbortSignal | undefined },
): Promise<ImportCounts> {
  const cuts = cutDrafts(
    parts,
    batch.map(({ draft }) => draft),
  ).map((cut, i): Cut => ({ ...cut, restored: batch[i]?.restored }));
  const { result, replayed } = await commitDrafts(parts, partition, {
    ...{ plan: importPlan, operation, input: { request }, cuts, signal },
    ...{ echoes: new Map(), now: presentOf(parts.clock) },
  });
  const [stored, there, expired] = (result ?? [0, batch.length, 0]) as unknown as ImportCounts;
  return replayed ? [0, stored + there, expired] : [stored, there, expired];
}

function isIterable(lines: unknown): boolean {
  const { [Symbol.asyncIterator]: async, [Symbol.iterator]: sync } = Object(lines);
  return typeof lines === "object" && (typeof async === "function" || typeof sync === "function");
}

/** The lines behind the header, as many together as one commit takes. */
async function* batches(
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
  scope: Scope,
): AsyncGenerator<readonly ImportedLine[]> {
  const seen = new Map<string, number>();
  let batch: ImportedLine[] = [];
  let bytes = 0;
  let number = 0;
  for await (const given of lines) {
    number += 1;
    const line = readLine(given, number, scope, seen);
    if (line === undefined) continue;
    const size = utf8Length(ownerText(line.draft.record.kind, line.draft.record.value));
    if (batch.length === batchLines || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A line, or undefined for the header. */
function readLine(
  given: unknown,
  number: number,
  scope: Scope,
  seen: Map<string, number>,
): ImportedLine | undefined {
  try {
    return importedLine(given, { first: number === 1, scope, seen });
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    throw new FluxError(code, `Line ${number}: ${message}`, {
      hint: `${hint === undefined ? "" : `${hint} `}What the batches before it held is stored, and an import that is done again goes on behind it.`,
      cause: error,
    });
  }
}
