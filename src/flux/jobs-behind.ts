import type { Ref } from "../model/record.ts";
import type { ClaimedJob, Ledger } from "../store/ledger.ts";
import { sourcesOf } from "../store/read.ts";
import { textsPerCall } from "./extract-queue.ts";
import { readSources, type SourceText } from "./extract-sources.ts";

/**
 * UTF-16 units of text up to which jobs are done together: some four turns of a conversation. More would spare little, and a commit in a
 * store of this process keeps others waiting.
 */
const mostUnits = 1000;

/** A job that waits behind another one, with the texts that it is about. */
interface JobBehind {
  readonly id: string;
  readonly texts: readonly SourceText[];
}

/**
 * The jobs that wait directly behind one in its lane and are done along with it, in one commit. Turns of a conversation are stored one
 * by one, and a commit costs as much as what is derived from one. There are none behind a job that has failed before: one of them may
 * have been why.
 */
export async function jobsBehind(
  ledger: Ledger,
  { partition, id, queue, payload, attempts, sources: own }: ClaimedJob,
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly JobBehind[]> {
  let units = mostUnits - lengthOf(texts);
  if (payload !== undefined || attempts > 1 || units <= 0) return [];
  const { jobs } = await ledger.jobs.list(partition, { queue, limit: textsPerCall, signal });
  const waiting = jobs.filter((job) => job.id !== id);
  const first = waiting.findIndex((job) => job.payload !== undefined || job.attempts > 0);
  const ready = first < 0 ? waiting : waiting.slice(0, first);
  if (ready.length === 0) return [];
  const sources = await ledger.read(
    [partition],
    ready.map((job) => sourcesOf("job", job.id)),
    { signal },
  );
  const refs = [...new Map(sources.flat().map((ref) => [nameOf(ref), ref])).values()];
  const read = await readSources(ledger, partition, { refs, window: 0, signal });
  const taken = new Set(own.map(nameOf));
  const behind: JobBehind[] = [];
  for (const [i, job] of ready.entries()) {
    const names = new Set(sources[i]?.map(nameOf));
    const found = read.texts.filter(({ source }) => names.has(nameOf(source)));
    units -= lengthOf(found);
    // A long one is read window by window. What is there twice was changed, maybe since it was read here.
    if (units < 0 || !found.every(({ whole }) => whole) || [...names].some((name) => taken.has(name))) break;
    for (const name of names) taken.add(name);
    behind.push({ id: job.id, texts: found });
  }
  return behind;
}

function nameOf({ kind, id }: Ref): string {
  return `${kind} ${id}`;
}

function lengthOf(texts: readonly SourceText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}
