import { presentOf } from "../model/clock.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Purge } from "../store/erasures.ts";
import { unarchiving } from "./archive-record.ts";
import { type Change, changeRecord } from "./change-record.ts";
import { checkMilliseconds, checkSignal } from "./check-options.ts";
import { unreadAmong } from "./extract-anew.ts";
import type { PurgeOptions, PurgeReceipt, WriteOptions } from "./flux-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { FluxParts } from "./open-flux.ts";
import { type Held, noSuchRecord, readRecord, recordKinds } from "./read-record.ts";
import type { Scope } from "./scope.ts";

const day = 24 * 3_600_000;

/** Hides a record, with what was derived from it, until it is erased. */
export async function purgeRecord(
  parts: FluxParts,
  { partition }: Scope,
  id: string,
  { undoWindow = day, operation = randomId(parts.randomness), signal }: PurgeOptions,
): Promise<PurgeReceipt> {
  checkId(operation, "operation");
  checkSignal(signal);
  checkMilliseconds(undoWindow, "undoWindow", 1, 100 * 366 * day);
  const held = await readRecord(parts, partition, id, { signal });
  if (held === undefined) {
    // A retry finds it hidden by its first attempt.
    const key = operationKey(partition, operation);
    const before = (await purgesOf(parts, partition, id, { signal })).find((purge) => purge.id === key);
    if (before === undefined) throw noSuchRecord();
    return { id, erasedAt: before.until };
  }
  const { ledger, clock } = parts;
  const ref = { kind: held.kind, id: held.owner.id };
  const until = presentOf(clock) + undoWindow;
  const purge = await ledger.purge(partition, { refs: [ref], until, operation }, { signal });
  return { id, erasedAt: purge.until };
}

/** Takes back the purges that hide a record, or else the archiving of one that can be seen. */
export async function undoRecord(
  parts: FluxParts,
  scope: Scope,
  id: string,
  options: WriteOptions,
): Promise<MemoryRecord> {
  const { operation = randomId(parts.randomness), signal } = options;
  checkId(operation, "operation");
  checkSignal(signal);
  const { partition } = scope;
  const call = { operation, signal };
  if ((await readRecord(parts, partition, id, { signal })) !== undefined)
    return changeRecord(parts, scope, unarchiving(id), call);
  const purges = await purgesOf(parts, partition, id, { signal });
  if (purges.length === 0) throw noSuchRecord();
  for (const purge of purges.toReversed()) {
    const undo = { purge: purge.id, operation: `undo/${purge.id}/${operationKey(partition, operation)}` };
    await parts.ledger.undo(partition, undo, { signal });
  }
  // Keeps the operation, so that a retry, which sees the record, has the same answer.
  return changeRecord(
    parts,
    scope,
    { id, request: ["undo", id], prepare: (held) => passedOver(parts, partition, held, { signal }) },
    call,
  );
}

/** A rebuild, jobs for many grains, and extraction pass over what is hidden. */
async function passedOver(
  parts: FluxParts,
  partition: Scope["partition"],
  { kind, owner }: Held,
  options: CallOptions,
): Promise<Change> {
  const { indexes, autoExtract } = parts;
  await indexes.refresh(options);
  const refs = [{ kind, id: owner.id }];
  // A fact of it that others said as well may have gone with what they said.
  const extract = autoExtract ? await unreadAmong(parts, partition, refs, { ...options, anew: true }) : [];
  return { unindexed: indexes.live.map(({ id }) => id), extract };
}

/** The purges that hide the record, or the grain, with an id. */
async function purgesOf(
  { ledger }: FluxParts,
  partition: Scope["partition"],
  id: string,
  options: CallOptions,
): Promise<readonly Purge[]> {
  const found = await Promise.all(
    [...recordKinds, "grain"].map((kind) => ledger.purged(partition, { kind, id }, options)),
  );
  return found.flat();
}
