import { describe, FluxTypeError } from "../model/errors.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import type { ErasureReceipt, ErasureScope } from "../store/erasures.ts";
import { checkSignal } from "./check-options.ts";
import type { EraseScope, WriteOptions } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { noSuchRecord, readRecord } from "./read-record.ts";
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
  if (held !== undefined) {
    const refs = [{ kind: held.kind, id: held.owner.id }];
    return ledger.erase(partition, { refs, operation }, { signal });
  }
  // A retry of what erased it: nothing says any more which record it was.
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  if (done !== undefined) return done;
  throw noSuchRecord();
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
