import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, errorCodes, FluxError, FluxTypeError } from "../../model/errors.ts";
import type { Partition } from "../../model/partition.ts";
import { partition } from "../../model/partition.ts";
import type { Stored } from "../../model/record.ts";
import type { Ledger, PartitionHead } from "../ledger.ts";
import { type FindOptions, find, get, head } from "../read.ts";
import { type Kind, type Kinds, recordTables } from "../schema.ts";

/** Words that stand for content in cases about errors: no message may repeat them. */
export const canary = "canary-3f1c";

/** The partition that a case uses when it does not matter which. */
export const alice = partition({ userId: "alice" });
export const bob = partition({ userId: "bob" });

export const kinds = Object.keys(recordTables) as readonly Kind[];

/**
 * The call rejects (it does not throw) with a coded error, whose message repeats nothing of what is stored.
 *
 * @param codes the code, or those of which any will do
 */
export async function rejects(
  codes: ErrorCode | readonly ErrorCode[],
  call: () => Promise<unknown>,
  name = "the call",
): Promise<FluxError> {
  const expected = typeof codes === "string" ? [codes] : codes;
  let promise: Promise<unknown>;
  try {
    promise = call();
  } catch (error) {
    return assert.fail(`${name} threw instead of rejecting: ${error}`);
  }
  const error: unknown = await promise.then(
    () => assert.fail(`${name} succeeded instead of rejecting with ${expected.join(" or ")}`),
    (error: unknown) => error,
  );
  if (!(error instanceof FluxError)) throw new Error(`${name} rejected with no FluxError`, { cause: error });
  assert.ok(
    expected.includes(error.code),
    `${name}: ${error.code} (${error.message}), not ${expected.join(" or ")}`,
  );
  assert.ok(Object.hasOwn(errorCodes, error.code));
  const told = `${error.message} ${error.hint ?? ""}`;
  assert.ok(!told.includes(canary), `${name} repeats content in its message: ${told}`);
  return error;
}

/** Runs the same for every variant of a case, and says in which one it failed. */
export async function each<T>(
  variants: Readonly<Record<string, T>>,
  run: (variant: T, name: string) => Promise<void>,
): Promise<void> {
  for (const [name, variant] of Object.entries(variants)) {
    try {
      await run(variant, name);
    } catch (error) {
      throw new Error(`With ${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}

/** As `rejects`, for an argument of the wrong type: the error is a TypeError as well. */
export async function rejectsType(
  codes: ErrorCode | readonly ErrorCode[],
  call: () => Promise<unknown>,
  name?: string,
): Promise<void> {
  const error = await rejects(codes, call, name);
  assert.ok(error instanceof TypeError, `${name ?? "the call"}: ${error.message} is no TypeError`);
  assert.ok(error instanceof FluxTypeError);
}

export async function headOf(ledger: Ledger, user: Partition = alice): Promise<PartitionHead> {
  const [state] = await ledger.read([user], [head()]);
  assert.ok(state, "the partition does not exist");
  return state;
}

/** The record, which must be there. */
export async function theRecord<K extends Kind>(
  ledger: Ledger,
  kind: K,
  id: string,
  user: Partition = alice,
): Promise<Stored<Kinds[K]>> {
  const [record] = await ledger.read([user], [get(kind as Kind, id)]);
  assert.ok(record, `there is no such ${kind}`);
  return record as unknown as Stored<Kinds[K]>;
}

export async function isThere(
  ledger: Ledger,
  kind: Kind,
  id: string,
  user: Partition = alice,
): Promise<boolean> {
  const [record] = await ledger.read([user], [get(kind, id)]);
  return record !== undefined;
}

/** Every record that a find comes upon, page by page. */
export async function everyPage<K extends Kind>(
  ledger: Ledger,
  kind: K,
  options: FindOptions = {},
  user: Partition = alice,
): Promise<Stored<Kinds[K]>[]> {
  const items: Stored<Kinds[K]>[] = [];
  let { after } = options;
  do {
    const [page] = await ledger.read([user], [find(kind as Kind, { ...options, after })]);
    items.push(...(page.items as unknown as Stored<Kinds[K]>[]));
    after = page.cursor;
  } while (after !== undefined);
  return items;
}

/** Every record of the partition, by kind; kinds with none are left out. */
export async function everything(
  ledger: Ledger,
  user: Partition = alice,
): Promise<Readonly<Record<string, readonly Stored<unknown>[]>>> {
  const found: Record<string, readonly Stored<unknown>[]> = {};
  for (const kind of kinds) {
    const records = await everyPage(ledger, kind, { limit: 1000 }, user);
    if (records.length > 0) found[kind] = records;
  }
  return found;
}

/** Nothing was ever written to the partition. */
export async function assertUntouched(ledger: Ledger, user: Partition = alice): Promise<void> {
  assert.deepEqual(await everything(ledger, user), {});
  const [state] = await ledger.read([user], [head()]);
  assert.ok(state === undefined || (state.records === 0 && state.bytes === 0 && state.seq === 0));
}

/** Waits until nothing more is committed: what a process sent to a server before it was killed may be carried out after. */
export async function settled(ledger: Ledger): Promise<void> {
  let head = -1;
  for (;;) {
    const { seq } = await headOf(ledger);
    if (seq === head) return;
    head = seq;
    await sleep(1000);
  }
}
