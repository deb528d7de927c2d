import { describe, FluxTypeError } from "../model/errors.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt, ErasureScope } from "../store/erasures.ts";
import { checkSignal } from "./check-options.ts";
import type { EraseScope, WriteOptions } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { type Held, noSuchRecord, type RecordRef, readRecord } from "./read-record.ts";
import type { Scope } from "./scope.ts";

/** Erases a record with its grains, a session or everything. */
export async function eraseRecords(
  parts: FluxParts,
  { partition }: Scope,
  given: EraseScope,
  { operation = randomId(parts.randomness), signal }: WriteOptions,
): Promise<ErasureReceipt> {
  const { ledger } = parts;
  const scope = checkScope(given);
  checkId(operation, "operation");
  checkSignal(signal);
  if (!("id" in scope)) return ledger.erase(partition, { ...scope, operation }, { signal });
  const held = await readRecord(parts, partition, scope.id, { signal });
  const ref = held === undefined ? await hiddenRef(parts, partition, scope.id, { signal }) : refOf(held);
  if (ref !== undefined) return ledger.erase(partition, { refs: [ref], operation }, { signal });
  // A retry of what erased it: nothing says any more which record it was.
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  if (done !== undefined) return done;
  throw noSuchRecord();
}

function refOf({ kind, owner: { id } }: Held): RecordRef {
  return { kind, id };
}

/** A record that a purge hides, by its own id. */
async function hiddenRef(
  { ledger }: FluxParts,
  partition: Scope["partition"],
  id: string,
  options: CallOptions,
): Promise<RecordRef | undefined> {
  for (const kind of ["text", "message"] as const) {
    const purges = await ledger.purged(partition, { kind, id }, options);
    if (purges.length > 0) return { kind, id };
  }
  return undefined;
}

function checkScope(scope: EraseScope): ErasureScope | { readonly id: string } {
  const keys = isPlainObject(scope) ? Object.keys(scope) : [];
  const [key] = keys;
  if (keys.length === 1) {
    const { id, sessionId, everything } = scope as Partial<Record<string, unknown>>;
    if (key === "id") return { id: checkId(id, "id") };
    if (key === "sessionId") return { sessionId: checkId(sessionId, "sessionId") };
    if (key === "everything" && everything === true) return { everything };
  }
  throw new FluxTypeError("invalid_argument", `What to erase cannot be ${describe(scope)} of this form`, {
    hint: "Give { id }, { sessionId } or { everything: true }.",
  });
}
