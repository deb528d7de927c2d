import { checkKnown, checkSignal, checkString, checkTime } from "../flux/check-options.ts";
import type { Flux } from "../flux/flux.ts";
import type { WriteOptions } from "../flux/flux-memory.ts";
import type { Scope } from "../flux/scope.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId, operationKey, type Randomness, randomId } from "../model/ids.ts";
import { groundRole, type Ref } from "../model/record.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { sourcesOf } from "../store/read.ts";
import type { ForgetFilter, ForgetReceipt } from "./agent-memory.ts";
import { names } from "./option-names.ts";
import { refsOfIds, type Said, walkSaid } from "./walk-said.ts";

/** Erases what fulfils a filter, or everything of a user. */
export async function forget(
  flux: Flux,
  scope: Scope,
  filter: ForgetFilter | undefined,
  options: WriteOptions & { readonly randomness: Randomness },
): Promise<ForgetReceipt> {
  const { randomness, ...call } = options;
  const { operation = randomId(randomness), signal } = checkKnown(call, names.write);
  checkId(operation, "operation");
  checkSignal(signal)?.throwIfAborted();
  const checked = filter === undefined ? undefined : checkFilter(filter);
  const receipt = await eraseOnce(flux, scope, checked, { operation, signal });
  return {
    ...receipt,
    verify: async (options = {}) => flux.ledger.verify(scope.partition, receipt.id, options),
  };
}

async function eraseOnce(
  flux: Flux,
  { partition }: Scope,
  filter: ForgetFilter | undefined,
  { operation, signal }: { readonly operation: string; readonly signal: AbortSignal | undefined },
): Promise<ErasureReceipt> {
  const { ledger } = flux;
  if (filter === undefined) return ledger.erase(partition, { everything: true, operation }, { signal });
  const { sessionId } = filter;
  // Decided inside of the transaction, so that nothing that is said meanwhile is passed over.
  if (sessionId !== undefined && Object.keys(filter).length === 1)
    return ledger.erase(partition, { sessionId, operation }, { signal });
  // A retry would find nothing any more of what it is to erase.
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  if (done !== undefined) return done;
  const refs = await refsToErase(flux, partition, filter, signal);
  return ledger.erase(partition, { refs, operation }, { signal });
}

async function refsToErase(
  { ledger }: Flux,
  partition: Scope["partition"],
  filter: ForgetFilter,
  signal: AbortSignal | undefined,
): Promise<readonly Ref[]> {
  const { ids, text } = filter;
  const fits = fitsFilter(filter);
  const walk = { ledger, partition, signal };
  const wanted = ids === undefined ? undefined : await refsOfIds(walk, ids);
  const refs: Ref[] = [];
  for await (const page of walkSaid(walk, filter, wanted)) {
    const fitting = page.filter(fits);
    // Facts go with what they were derived from. What was told to the memory itself goes as what is said does, and what holds the
    // words goes in any case.
    const named = text !== undefined || ids !== undefined;
    const ungrounded = named ? fitting : await withoutGround(walk, fitting);
    refs.push(...ungrounded.map(({ kind, id }) => ({ kind, id })));
  }
  return refs;
}

async function withoutGround(
  { ledger, partition, signal }: Parameters<typeof refsOfIds>[0],
  page: readonly Said[],
): Promise<readonly Said[]> {
  const facts = page.filter(({ kind }) => kind === "fact");
  if (facts.length === 0) return page;
  const ops = facts.map(({ id }) => sourcesOf("fact", id));
  const links = await ledger.read([partition], ops, { signal });
  const grounded = new Set(
    facts.filter((_, i) => (links[i] ?? []).some(({ role }) => role === groundRole)).map(({ id }) => id),
  );
  return page.filter(({ kind, id }) => kind !== "fact" || !grounded.has(id));
}

function fitsFilter({ sessionId, from, before, text }: ForgetFilter): (said: Said) => boolean {
  const words = text === undefined ? undefined : plain(text);
  return (said) =>
    (sessionId === undefined || said.sessionId === sessionId) &&
    (from === undefined || (said.at !== undefined && said.at >= from)) &&
    (before === undefined || (said.at !== undefined && said.at < before)) &&
    (words === undefined || said.texts.some((one) => plain(one).includes(words)));
}

/** As texts are compared: without regard to case and white space. */
function plain(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
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
  if (ids !== undefined && !(Array.isArray(ids) && ids.length <= 1000))
    throw new FluxError("invalid_argument", "ids must be a list of at most 1,000 ids");
  for (const id of ids ?? []) checkId(id, "id");
  if (text !== undefined && plain(checkString(text, "text")) === "")
    throw new FluxError("invalid_argument", "text must hold words", { hint: "Nothing was erased." });
  return { ...filter, ...(ids === undefined ? {} : { ids: [...ids] }) };
}
