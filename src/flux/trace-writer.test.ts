import { expect, test } from "vitest";
import { FluxError } from "../model/errors.ts";
import { systemRandomness } from "../model/ids.ts";
import { type Partition, partition } from "../model/partition.ts";
import type { Ledger } from "../store/ledger.ts";
import { TraceWriter } from "./trace-writer.ts";

const users = Array.from({ length: 10 }, (_, i) => partition({ userId: `user-${i}` }));

/** A writer with a trace for each user, on a ledger that refuses some of them. */
function fill(refusals: ReadonlyMap<unknown, FluxError>) {
  const tried: unknown[] = [];
  const ledger = {
    async update(user: unknown) {
      tried.push(user);
      const refusal = refusals.get(user);
      if (refusal !== undefined) throw refusal;
    },
  };
  const writer = new TraceWriter(ledger as never as Ledger, systemRandomness);
  for (const [i, user] of users.entries())
    writer.add(user, { id: `t${i}`, value: { query: "", hits: [], expiresAt: 0 }, generation: 0 });
  const waiting = () => users.map((user) => writer.waiting(user).length);
  return { writer, tried, waiting };
}

test("a partition that cannot be written to keeps no other from it; what may be written later waits", async () => {
  const full = new FluxError("quota_exceeded", "full");
  const busy = new FluxError("busy", "busy", { retryable: true });
  const refusals = new Map([
    [users[0], full],
    [users[1], busy],
  ]);
  const { writer, tried, waiting } = fill(refusals);
  await expect(writer.flush()).rejects.toBe(full);
  expect(tried).toEqual(users);
  expect(waiting()).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  refusals.clear();
  await writer.flush();
  expect(waiting()).toEqual(users.map(() => 0));
});

test("a store that is away is not asked for every partition", async () => {
  const away = new FluxError("unavailable", "away", { retryable: true });
  const { writer, tried, waiting } = fill(new Map(users.map((user) => [user, away])));
  await expect(writer.flush()).rejects.toBe(away);
  expect(tried).toHaveLength(3);
  expect(waiting()).toEqual(users.map(() => 1));
});

test("a trace that comes while those before it are written, and dropped because of their number, waits", async () => {
  const written = Promise.withResolvers<void>();
  const ledger = { update: () => written.promise };
  const writer = new TraceWriter(ledger as never as Ledger, systemRandomness);
  const [first, other] = users as [Partition, Partition];
  const add = (user: Partition, id: string) =>
    writer.add(user, { id, value: { query: "", hits: [], expiresAt: 0 }, generation: 0 });
  add(first, "first");
  const flushed = writer.flush();
  for (let i = 0; i < 2000; i++) add(other, `other ${i}`);
  expect(writer.waiting(first)).toEqual([]);
  add(first, "second");
  written.resolve();
  await flushed;
  expect(writer.waiting(first).map(({ id }) => id)).toEqual(["second"]);
  await writer.flush();
  expect(users.flatMap((user) => writer.waiting(user))).toEqual([]);
});
