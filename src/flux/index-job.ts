import { FluxError } from "../model/errors.ts";
import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import { type OwnerRecords, ownerKey, ownerText } from "../recall/owner-text.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";
import { walkJob } from "./index-queue.ts";
import { indexedText } from "./indexed-text.ts";
import type { FluxParts } from "./open-flux.ts";

/** Grains of one step through a partition. */
const page = 200;
const attempts = 8;

/** Makes the entries of a space for the grains of a job. What was erased meanwhile is passed over. */
export async function runIndexJob(
  parts: FluxParts,
  space: number,
  { partition, sources }: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < sources.length; at += page) {
    const ops = sources.slice(at, at + page).map(({ id }) => get("grain", id));
    const grains = await parts.ledger.read([partition], ops, { signal });
    const there = grains.filter((grain) => grain !== undefined);
    await indexGrains(parts, { partition, space, signal }, there);
  }
}

/**
 * Indexes one page of a partition's grains. Its completion enqueues the next page, so that an interrupted walk goes on where
 * it was. Whether this was the last one.
 */
export async function runWalkJob(
  parts: FluxParts,
  space: number,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<boolean> {
  const { partition } = job;
  const { after } = job.payload as { readonly after?: string };
  const [found] = await parts.ledger.read([partition], [find("grain", { limit: page, after })], { signal });
  await indexGrains(parts, { partition, space, signal }, found.items);
  if (found.cursor === undefined) return true;
  const jobs = [walkJob(space, found.cursor)];
  await parts.ledger.append(partition, { operation: `job/${job.id}`, records: [], jobs, job }, { signal });
  return false;
}

/** Makes the entries of grains as they are now: anew for those that are changed while theirs are made. */
async function indexGrains(
  parts: FluxParts,
  target: IndexTarget,
  grains: readonly Stored<Grain>[],
): Promise<void> {
  let left = grains;
  for (let attempt = 1; left.length > 0; attempt++) {
    try {
      if (await indexOnce(parts, target, left)) return;
    } catch (error) {
      if (!FluxError.isInstance(error) || error.code !== "index_changed" || attempt === attempts) throw error;
      await parts.indexes.refresh({ signal: target.signal });
      continue;
    }
    const { partition, signal } = target;
    const seen = left;
    const now = await parts.ledger.read(
      [partition],
      seen.map(({ id }) => get("grain", id)),
      { signal },
    );
    left = now.filter(
      (grain, i) => grain !== undefined && grain.updatedSeq !== seen[i]?.updatedSeq,
    ) as typeof seen;
    if (attempt === attempts && left.length > 0)
      throw new FluxError("conflict", "Grains are changed all the time", { retryable: true });
  }
}

interface IndexTarget {
  readonly partition: Partition;
  readonly space: number;
  readonly signal: AbortSignal;
}

/** Whether all grains were as they had been read. */
async function indexOnce(
  { ledger, indexes }: FluxParts,
  { partition, space, signal }: IndexTarget,
  grains: readonly Stored<Grain>[],
): Promise<boolean> {
  const { live } = indexes;
  const target = live.find(({ id }) => id === space);
  // It was dropped: nobody asks for its entries any more.
  if (target === undefined) return true;
  // A long text has many grains: it is read and put together once.
  const owners = [...new Map(grains.map((grain) => [ownerKey(grain), grain])).values()];
  const records = await ledger.read(
    [partition],
    owners.map(({ ownerKind, ownerId }) => get(ownerKind, ownerId)),
    { signal },
  );
  const texts = new Map(
    owners.flatMap((owner, i) => {
      const record = records[i] as OwnerRecords[Grain["ownerKind"]] | undefined;
      return record === undefined ? [] : [[ownerKey(owner), ownerText(owner.ownerKind, record)] as const];
    }),
  );
  const there = grains.flatMap((grain) => {
    const text = texts.get(ownerKey(grain));
    return text === undefined ? [] : [{ grain, text: indexedText(grain, text) }];
  });
  const made = await indexes.makeFor(
    target,
    there.map(({ text }) => text),
    signal,
  );
  const request = {
    spaces: live.map(({ id }) => id),
    grains: there.flatMap(({ grain: { id, updatedSeq } }, i) => {
      const entry = made[i];
      return entry === undefined ? [] : [{ grainId: id, updatedSeq, entries: [entry] }];
    }),
  };
  return (await ledger.index(partition, request, { signal })) === request.grains.length;
}
