import { checkKnown, checkSignal, checkString, checkTime } from "../flux/check-options.ts";
import { type Place, refsOfId, refsOfText, refsOfTime } from "../flux/erasure-refs.ts";
import type { Flux } from "../flux/flux.ts";
import type { WriteOptions } from "../flux/flux-memory.ts";
import { nameOf } from "../flux/restore-item.ts";
import type { Scope } from "../flux/scope.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId, type Randomness, randomId } from "../model/ids.ts";
import { groundRole, type Ref } from "../model/record.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { pausesOf } from "../store/pauses.ts";
import { find, sourcesOf } from "../store/read.ts";
import type { ForgetFilter, ForgetReceipt } from "./agent-memory.ts";
import { names } from "./option-names.ts";

/** The first millisecond of JavaScript's dates. */
const beginning = -8.64e15;

/** Erases what fulfils a filter, or everything of a user. */
export async function forget(
  { ledger }: Flux,
  { partition }: Scope,
  filter: ForgetFilter | undefined,
  options: WriteOptions & { readonly randomness: Randomness },
): Promise<ForgetReceipt> {
  const { randomness, ...call } = options;
  const { operation = randomId(randomness), signal } = checkKnown(call, names.write);
  checkId(operation, "operation");
  checkSignal(signal)?.throwIfAborted();
  const checked = filter === undefined ? undefined : checkFilter(filter);
  const receipt = await erase({ ledger, partition }, checked, { operation, signal });
  return {
    ...receipt,
    verify: async (options = {}) => ledger.verify(partition, receipt.id, options),
  };
}

async function erase(
  place: Place,
  filter: ForgetFilter | undefined,
  { operation, signal }: CallOptions & { readonly operation: string },
): Promise<ErasureReceipt> {
  const { ledger, partition } = place;
  if (filter === undefined) return ledger.erase(partition, { everything: true, operation }, { signal });
  const { sessionId, from, before, ids, text } = filter;
  // Decided inside of the transaction, so that nothing that is said meanwhile is passed over.
  if (sessionId !== undefined && Object.keys(filter).length === 1)
    return ledger.erase(partition, { sessionId, operation }, { signal });
  const refs = await refsFor(place, filter, { signal });
  // Of the words nothing is kept, not even by what a retry would be told.
  const asked = [sessionId ?? null, from ?? null, before ?? null, ids ?? null, text !== undefined];
  const request = JSON.stringify(["forget", ...asked]);
  return ledger.erase(partition, { refs, request, operation }, { signal });
}

/** What fulfils all conditions. */
async function refsFor(
  place: Place,
  { sessionId, from, before, ids, text }: ForgetFilter,
  options: CallOptions,
): Promise<readonly Ref[]> {
  const found: Ref[][] = [];
  if (ids !== undefined)
    found.push((await Promise.all(ids.map((id) => refsOfId(place, id, options)))).flat());
  if (text !== undefined) found.push(await refsOfText(place, text, options));
  if (sessionId !== undefined || from !== undefined || before !== undefined) {
    const time = { from: from ?? beginning, until: before, sessionId };
    const told = await toldFacts(place, time, options);
    found.push([...(await refsOfTime(place, time, options)), ...told]);
  }
  const [first = [], ...others] = found;
  const fitting = others.map((refs) => new Set(refs.map(nameOf)));
  const all = first.filter((ref) => fitting.every((names) => names.has(nameOf(ref))));
  return [...new Map(all.map((ref) => [nameOf(ref), ref])).values()];
}

/** Facts of a time that were told to the memory itself. The others go with what they were derived from. */
async function toldFacts(
  { ledger, partition }: Place,
  {
    from,
    until = Infinity,
    sessionId,
  }: { readonly from: number; readonly until?: number | undefined; readonly sessionId?: string | undefined },
  options: CallOptions,
): Promise<readonly Ref[]> {
  const along = sessionId === undefined ? {} : { index: "bySession", prefix: [sessionId] };
  const told: Ref[] = [];
  let after: string | undefined;
  const pause = pausesOf(options.signal);
  do {
    await pause();
    const [{ items, cursor }] = await ledger.read(
      [partition],
      [find("fact", { ...along, limit: 200, after })],
      options,
    );
    const timely = items.filter(({ recordedFrom }) => recordedFrom >= from && recordedFrom < until);
    const sources = await ledger.read(
      [partition],
      timely.map(({ id }) => sourcesOf("fact", id)),
      options,
    );
    for (const [i, { id }] of timely.entries())
      if (!(sources[i] ?? []).some(({ role }) => role === groundRole)) told.push({ kind: "fact", id });
    after = cursor;
  } while (after !== undefined);
  return told;
}

function checkFilter(filter: ForgetFilter): ForgetFilter {
  const { sessionId, from, before, ids, text } = checkKnown(filter, names.forget, "What to forget");
  const given = Object.entries(filter);
  if (given.length === 0 || given.some(([, value]) => value === undefined)) {
    throw new FluxTypeError("invalid_argument", "What to forget has no condition, or one that is undefined", {
      hint: "Nothing was erased. forget() without a filter erases everything of the user.",
    });
  }
  if (sessionId !== undefined) checkId(sessionId, "sessionId");
  if (from !== undefined) checkTime(from, "from");
  if (before !== undefined) checkTime(before, "before");
  if (from !== undefined && before !== undefined && from >= before)
    throw new FluxError("invalid_argument", "from must be before before", { hint: "Nothing was erased." });
  if (ids !== undefined && !(Array.isArray(ids) && ids.length <= 1000))
    throw new FluxError("invalid_argument", "ids must be a list of at most 1,000 ids");
  for (const id of ids ?? []) checkId(id, "id");
  if (text !== undefined && checkString(text, "text").trim() === "")
    throw new FluxError("invalid_argument", "text must hold words", { hint: "Nothing was erased." });
  return { ...filter, ...(ids === undefined ? {} : { ids: [...ids] }) };
}
