import { presentOf } from "../model/clock.ts";
import type { GrainStatus } from "../model/grain.ts";
import { checkId, randomId } from "../model/ids.ts";
import type { Json } from "../model/json.ts";
import { partitionKey } from "../model/partition.ts";
import type { Patch } from "../store/batch.ts";
import { type ChangedPiece, changePlan } from "./change-plan.ts";
import { checkSignal } from "./check-options.ts";
import type { ExtractSource } from "./extract-queue.ts";
import type { UpdateOptions } from "./flux-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { FluxParts } from "./open-flux.ts";
import { type Held, isMoved, noSuchRecord, readRecord, readRecords } from "./read-record.ts";
import { recordOf } from "./record-of.ts";
import { digestOf } from "./request-digest.ts";
import type { Scope } from "./scope.ts";

/** What becomes of a record, as it follows from what it is now. */
export interface Change {
  readonly owner?: Patch<"text">["value"];
  readonly grain?: Patch<"grain">["value"];
  readonly pieces?: readonly ChangedPiece[] | undefined;
  /** The spaces that the pieces were made for. */
  readonly spaces?: readonly number[] | undefined;
  /** Whether it says something else from now on. */
  readonly restated?: boolean;
  /** What is to be derived from it anew. */
  readonly extract?: readonly ExtractSource[];
  /** Spaces that may lack entries of its grains and its statements' by now. */
  readonly unindexed?: readonly number[];
}

export interface ChangeRequest {
  readonly id: string;
  /** What was called and given, which tells a retry from another call. */
  readonly request: Json;
  /** The status without which nothing is changed. */
  readonly requires?: GrainStatus;
  /** Lays out the change, outside of the transaction. May be asked again if the record has another text meanwhile. */
  prepare(held: Held): Change | Promise<Change>;
}

/** Times that a record or the spaces may change under a call before it gives up. */
const attempts = 8;

/** Changes a record in one commit, and returns it as it is then. */
export async function changeRecord(
  parts: FluxParts,
  scope: Scope,
  change: ChangeRequest,
  options: UpdateOptions,
): Promise<MemoryRecord> {
  const { operation = randomId(parts.randomness), signal, ifVersion } = options;
  checkId(operation, "operation");
  checkSignal(signal);
  const key = `${partitionKey(scope.partition)} ${checkId(change.id, "id")}`;
  return parts.turns.take(key, () => changeInTurn(parts, scope, change, { operation, signal, ifVersion }));
}

async function changeInTurn(
  parts: FluxParts,
  { partition }: Scope,
  { id, request, requires, prepare }: ChangeRequest,
  { operation, signal, ifVersion }: UpdateOptions & { readonly operation: string },
): Promise<MemoryRecord> {
  const { ledger, indexes, clock } = parts;
  const input = { request: digestOf(request, ifVersion) };
  for (let attempt = 1; ; attempt++) {
    const held = await readRecord(parts, partition, id, { signal });
    if (held === undefined) throw noSuchRecord();
    const { owner = {}, grain = {}, pieces, spaces = [], ...rest } = await prepare(held);
    const { restated = false, extract = [], unindexed = [] } = rest;
    const aside = {
      ...{ kind: held.kind, id: held.owner.id, seen: held.owner.updatedSeq },
      ...{ grainIds: held.grains.map((one) => one.id), ifVersion, requires },
      ...{ owner, grain, pieces, spaces, restated, extract, unindexed, now: presentOf(clock) },
    };
    try {
      await ledger.update(partition, { operation, plan: changePlan, input, aside }, { signal });
    } catch (error) {
      if (attempt === attempts || !isMoved(error)) throw error;
      await indexes.refresh({ signal });
      continue;
    }
    // As it is after the change; of a record that was erased since then, nothing can be told.
    const ref = { kind: held.kind, id: held.owner.id };
    const [changed] = await readRecords(ledger, partition, [ref], { signal });
    if (changed === undefined) throw noSuchRecord();
    return recordOf(changed);
  }
}
