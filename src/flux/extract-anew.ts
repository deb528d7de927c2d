import { FluxError } from "../model/errors.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { derivedFrom, find } from "../store/read.ts";
import { checkKnown, checkLimit, checkSignal } from "./check-options.ts";
import { readersOf } from "./extract-gate.ts";
import { type ExtractSource, extractionJobs, extractQueue, factsQueue } from "./extract-queue.ts";
import { type SaidRecord, sidesOf } from "./extract-sides.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { type Held, type RecordRef, readRecords, recordKinds } from "./read-record.ts";
import { digestOf } from "./request-digest.ts";
import { reviveDead } from "./walks.ts";

/** Records of one look and one commit of jobs. */
const pageSize = 200;
const mostRecords = 100_000;

export interface ExtractOptions extends CallOptions {
  /** Goes on behind this place in the order of writes, see `ExtractReport.seq`. Default: from the beginning. */
  readonly since?: number | undefined;
  /** Records that are looked at, 1 to 100,000. Default 1,000. */
  readonly limit?: number | undefined;
}

export interface ExtractReport {
  /** Records that were looked at, and jobs that were left for those of them that nothing was derived from. */
  readonly records: number;
  readonly jobs: number;
  /** Where to go on. */
  readonly seq: number;
  /** Whether there may be records behind. */
  readonly more: boolean;
}

/**
 * Leaves jobs for the records of a partition from which nothing was derived, by rules or by the model, such as those that were
 * stored while `autoExtract` was off or the model did not answer, and revives the jobs that were given up. The same records are not given
 * to the same jobs twice.
 */
export async function extractAnew(
  parts: FluxParts,
  partition: Partition,
  options: ExtractOptions,
): Promise<ExtractReport> {
  const { since = 0, limit = 1000, signal } = checkKnown(options, names.extract);
  checkLimit(limit, "limit", mostRecords);
  if (!(Number.isSafeInteger(since) && since >= 0))
    throw new FluxError("invalid_argument", "since must be the seq of a report, or 0");
  checkSignal(signal);
  const { ledger } = parts;
  await reviveDead(ledger, partition, [factsQueue, extractQueue], signal);
  let report: ExtractReport = { records: 0, jobs: 0, seq: since, more: true };
  while (report.more && report.records < limit) {
    const most = Math.min(pageSize, limit - report.records);
    const { refs, seq, more } = await nextRecords(ledger, partition, { behind: report.seq, most, signal });
    const sources = await unreadAmong(parts, partition, refs, { signal });
    const jobs = extractionJobs(sources);
    if (jobs.length > 0) {
      const operation = `extract-anew/${digestOf(sources)}`;
      await ledger.append(partition, { operation, records: [], jobs }, { signal });
    }
    report = { records: report.records + refs.length, jobs: report.jobs + jobs.length, seq, more };
  }
  return report;
}

/** Records behind a place, by the order of their writes. */
async function nextRecords(
  ledger: Ledger,
  partition: Partition,
  {
    behind,
    most,
    signal,
  }: { readonly behind: number; readonly most: number; readonly signal: AbortSignal | undefined },
): Promise<{ readonly refs: readonly RecordRef[]; readonly seq: number; readonly more: boolean }> {
  const range = { gt: behind };
  const pages = await ledger.read(
    [partition],
    recordKinds.map((kind) => find(kind, { index: "bySeq", range, limit: most })),
    { signal },
  );
  const found = pages.flatMap(({ items }, i) =>
    (items as readonly Stored<object>[]).map(({ id, seq }) => ({ seq, ref: { kind: recordKinds[i], id } })),
  );
  const first = found.toSorted((a, b) => a.seq - b.seq).slice(0, most);
  const seq = first.at(-1)?.seq ?? behind;
  const more = found.length > first.length || pages.some(({ cursor }) => cursor !== undefined);
  return { refs: first.map(({ ref }) => ref as RecordRef), seq, more };
}

/**
 * Those that may say something, with who has not read them: no job is there for them, and nothing that would have come of it.
 *
 * @param options.anew also rules that something came of: what else they found may be gone. Reading again has no effect, and costs little.
 */
export async function unreadAmong(
  parts: FluxParts,
  partition: Partition,
  refs: readonly RecordRef[],
  { signal, anew = false }: CallOptions & { readonly anew?: boolean },
): Promise<readonly ExtractSource[]> {
  const { ledger } = parts;
  const derived = await ledger.read(
    [partition],
    refs.map(({ kind, id }) => derivedFrom(kind, id)),
    { signal },
  );
  const isOutcome = (kind: string): boolean => !(anew && kind === outcomes[factsQueue]);
  const kinds = new Map(
    refs.map((ref, i) => [ref, (derived[i] ?? []).map(({ kind }) => kind).filter(isOutcome)]),
  );
  const waited = [...kinds].filter(([, found]) => !found.includes("job"));
  const held = await readRecords(
    ledger,
    partition,
    waited.map(([ref]) => ref),
    { signal },
  );
  return held.flatMap((one, i) => (one === undefined ? [] : sourceOf(parts, one, waited[i]?.[1] ?? [])));
}

/** What comes of a job: facts, or of a model statements. */
const outcomes = { [factsQueue]: "fact", [extractQueue]: "text" } as const;

function sourceOf(
  parts: FluxParts,
  { kind, owner, grains }: Held,
  derived: readonly string[],
): readonly ExtractSource[] {
  const [grain] = grains;
  if (grain === undefined || grain.status === "archived" || grain.status === "quarantined") return [];
  const record = { kind, value: owner } as SaidRecord;
  const { extractFrom, extraction } = parts;
  const readers = readersOf({ autoExtract: true, extractFrom, extraction }, { record, grain });
  const queues = readers.filter((queue) => !derived.includes(outcomes[queue]));
  if (queues.length === 0) return [];
  const { id, sessionId, agentId } = owner;
  const units = sidesOf(record, grain).reduce((sum, { text }) => sum + text.length, 0);
  return [{ kind, id, units, sessionId, agentId, queues }];
}
