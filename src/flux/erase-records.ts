import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import type { Ref } from "../model/record.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { checkSignal, checkString, checkTime } from "./check-options.ts";
import { erasableKinds, type Place, refsOfId, refsOfText, refsOfTime } from "./erasure-refs.ts";
import type { EraseScope, WriteOptions } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { noSuchRecord } from "./read-record.ts";
import type { Scope } from "./scope.ts";

/** Erases a record with its grains, a session, a time, what holds a text, or everything. */
export async function eraseRecords(
  { ledger, randomness }: FluxParts,
  { partition }: Scope,
  given: EraseScope,
  { operation = randomId(randomness), signal }: WriteOptions,
): Promise<ErasureReceipt> {
  const scope = checkScope(given);
  checkId(operation, "operation");
  checkSignal(signal);
  const place = { ledger, partition };
  const call = { operation, signal };
  if ("id" in scope) return eraseById(place, scope.id, call);
  if ("text" in scope) return eraseByText(place, scope.text, call);
  if ("from" in scope || "until" in scope) {
    const refs = await refsOfTime(place, scope, { signal });
    const { from = null, until = null, sessionId = null } = scope;
    const request = JSON.stringify(["time", from, until, sessionId]);
    return ledger.erase(partition, { refs, request, operation }, { signal });
  }
  return ledger.erase(partition, { ...scope, operation }, { signal });
}

type Call = CallOptions & { readonly operation: string };

async function eraseById(place: Place, id: string, { operation, signal }: Call): Promise<ErasureReceipt> {
  const { ledger, partition } = place;
  const found = await refsOfId(place, id, { signal });
  const refs = found.length > 0 ? found : await hiddenRefs(place, id, { signal });
  if (refs.length > 0) return ledger.erase(partition, { refs, operation }, { signal });
  // A retry of what erased it: nothing says any more which record it was.
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  if (done !== undefined) return done;
  throw noSuchRecord();
}

async function eraseByText(place: Place, text: string, { operation, signal }: Call): Promise<ErasureReceipt> {
  const { ledger, partition } = place;
  const refs = await refsOfText(place, text, { signal });
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  // Nothing of the text is kept by which to tell whether it was the same.
  if (done !== undefined && refs.length > 0) {
    throw new FluxError("operation_conflict", "What holds this text now was no part of this operation", {
      hint: "Nothing was erased. Give every erasure an operation id of its own.",
    });
  }
  return ledger.erase(partition, { refs, request: "text", operation }, { signal });
}

/** Records that a purge hides, by their own id. */
async function hiddenRefs({ ledger, partition }: Place, id: string, options: CallOptions): Promise<Ref[]> {
  const kinds = erasableKinds.filter((kind) => kind !== "block");
  const purges = await Promise.all(kinds.map((kind) => ledger.purged(partition, { kind, id }, options)));
  return kinds.flatMap((kind, i) => ((purges[i] ?? []).length > 0 ? [{ kind, id }] : []));
}

function checkScope(scope: EraseScope): EraseScope {
  const given = isPlainObject(scope) ? Object.entries(scope).filter(([, value]) => value !== undefined) : [];
  const { id, sessionId, from, until, text, everything, ...others } = Object.fromEntries(given);
  const kinds = [id, text, everything, from ?? until ?? sessionId].filter((value) => value !== undefined);
  if (kinds.length !== 1 || Object.keys(others).length > 0) throw noScope(scope);
  if (id !== undefined) return { id: checkId(id, "id") };
  if (text !== undefined) {
    if (checkString(text, "text").trim() !== "") return { text: text as string };
    throw new FluxError("invalid_argument", "text must not be empty");
  }
  if (everything === true) return { everything };
  if (everything !== undefined) throw noScope(scope);
  if (sessionId !== undefined) checkId(sessionId, "sessionId");
  for (const [name, value] of Object.entries({ from, until }))
    if (value !== undefined) checkTime(value, name);
  if (from !== undefined && until !== undefined && (from as number) >= (until as number))
    throw new FluxError("invalid_argument", "from must be before until");
  return Object.fromEntries(given) as EraseScope;
}

function noScope(scope: unknown): FluxTypeError {
  return new FluxTypeError("invalid_argument", `What to erase cannot be ${describe(scope)} of this form`, {
    hint: "Give one of { id }, { sessionId }, { from, until, sessionId }, { text } and { everything: true }.",
  });
}
