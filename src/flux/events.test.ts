import { expect, test } from "vitest";
import { openTransaction } from "../../test/postgres/database.ts";
import { startPostgres } from "../../test/servers/postgres.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { postgresLedger } from "../store/postgres/ledger.ts";
import { Flux } from "./flux.ts";
import type { FluxEvent } from "./flux-memory.ts";

/** The next events, as many as wanted. */
async function take(events: AsyncIterator<FluxEvent>, count: number): Promise<FluxEvent[]> {
  const taken: FluxEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) return taken;
    taken.push(value);
  }
  return taken;
}

function iterate(events: AsyncIterable<FluxEvent>): AsyncIterator<FluxEvent> {
  return events[Symbol.asyncIterator]();
}

onEveryStore((store) => {
  test("events tell what changed from the call on, in this partition alone, and never what it says", async () => {
    await using one = await openMemory(store);
    await one.memory.store("before");
    const events = iterate(one.memory.events());
    await one.flux.for({ userId: "bob" }).store("of Bob");
    const { id, grainIds } = await one.memory.store("secret");
    const [grainId] = grainIds;
    const stored = await take(events, 2);
    expect(stored).toEqual([
      { seq: expect.any(Number), kind: "text", id, operation: "insert", cursor: expect.any(String) },
      {
        seq: expect.any(Number),
        kind: "grain",
        id: grainId,
        operation: "insert",
        cursor: expect.any(String),
      },
    ]);
    await one.memory.archive(id);
    expect(await take(events, 1)).toMatchObject([{ kind: "grain", id: grainId, operation: "update" }]);
    await one.memory.erase({ id });
    const erased = await take(events, 2);
    expect(erased.map(({ id: of, operation }) => [of, operation]).sort()).toEqual(
      [id, grainId ?? ""].map((of) => [of, "delete"]).sort(),
    );
    await one.memory.erase({ everything: true });
    expect(await take(events, 1)).toMatchObject([{ operation: "erase_all" }]);
  });

  test("a follower goes on behind the last event that it dealt with", async () => {
    await using one = await openMemory(store);
    const all = iterate(one.memory.events());
    const stored = await one.memory.storeBatch(
      Array.from({ length: 5 }, (_, i): { text: string } => ({ text: `text ${i}` })),
    );
    await one.flux.for({ userId: "bob" }).store("of Bob");
    await one.memory.store("last");
    const seen = await take(all, 12);
    expect(seen.filter(({ kind }) => kind === "text").map(({ id }) => id)).toEqual([
      ...stored.map(({ id }) => id),
      expect.any(String),
    ]);
    for (const [i, { cursor }] of seen.slice(0, -1).entries()) {
      const rest = await take(iterate(one.memory.events({ after: cursor })), 11 - i);
      expect(rest.map(({ seq }) => seq)).toEqual(seen.slice(i + 1).map(({ seq }) => seq));
    }
  });

  test("an iteration ends with its signal, and with the memory", async () => {
    await using one = await openMemory(store);
    const stop = new AbortController();
    const waiting = take(iterate(one.memory.events({ signal: stop.signal })), 1);
    stop.abort();
    expect(await waiting).toEqual([]);
    const open = iterate(one.memory.events());
    const last = take(open, 1);
    await one.flux.close();
    expect(await last).toEqual([]);
    expect(await open.next()).toEqual({ done: true, value: undefined });
    expect(() => one.memory.events()).toThrow(expect.objectContaining({ code: "closed" }));
  });

  test("whoever stops iterating keeps nothing waiting", async () => {
    await using one = await openMemory(store);
    const events = one.memory.events();
    await one.memory.store("text");
    for await (const { kind } of events) {
      expect(kind).toBe("text");
      break;
    }
  });

  test("a cursor of another partition, or none at all, is refused", async () => {
    await using one = await openMemory(store);
    const events = iterate(one.memory.events());
    await one.memory.store("text");
    const [event] = await take(events, 1);
    const bob = one.flux.for({ userId: "bob" });
    expect(() => bob.events({ after: event?.cursor })).toThrow(
      expect.objectContaining({ code: "invalid_cursor" }),
    );
    for (const after of ["", "x", 5, null])
      expect(() => one.memory.events({ after: after as never })).toThrow(
        expect.objectContaining({ code: "invalid_cursor" }),
      );
    expect(() => one.memory.events({ since: 5 } as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
    expect(() => one.memory.events({ signal: {} as never })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });

  test("what is stored while events begin is what was given, whatever becomes of it", async () => {
    await using one = await openMemory(store);
    const events = one.memory.events();
    const items = [{ text: "one" }];
    const call = one.memory.storeBatch(items);
    items[0] = { text: "two" };
    const [stored] = await call;
    expect((await one.memory.get(stored?.id ?? ""))?.text).toBe("one");
    expect((await take(iterate(events), 1)).map(({ id }) => id)).toEqual([stored?.id]);
  });

  test("nor is anything else changed or erased than what was named", async () => {
    await using one = await openMemory(store);
    const [first, second] = await one.memory.storeBatch([{ text: "one" }, { text: "two" }]);
    one.memory.events();
    const changes = { metadata: { turn: 1 } };
    const scope = { id: first?.id ?? "" };
    const calls = [one.memory.update(second?.id ?? "", changes), one.memory.erase(scope)];
    changes.metadata.turn = 2;
    scope.id = second?.id ?? "";
    await Promise.all(calls);
    const { items } = await one.memory.list();
    expect(items.map(({ text, metadata }) => [text, metadata])).toEqual([["two", { turn: 1 }]]);
  });
});

test("a call that waits for events to begin ends with its signal", async () => {
  const ledger = inMemoryLedger();
  const begun = Promise.withResolvers<void>();
  const head = ledger.changes.head.bind(ledger.changes);
  ledger.changes.head = async (options) => {
    await begun.promise;
    return head(options);
  };
  await using flux = await Flux.open(ledger, { embedder: "hash" });
  const memory = flux.for({ userId: "alice" });
  memory.events();
  const stop = new AbortController();
  const { signal } = stop;
  const calls = [
    memory.store("one", { signal }),
    memory.recall("one", { signal }),
    memory.facts.query({ signal }),
    memory.import([], { signal }),
    flux.status({ signal }),
  ];
  const waiting = memory.list();
  const reason = new Error("enough");
  stop.abort(reason);
  for (const { status, ...rest } of await Promise.allSettled(calls))
    expect({ status, ...rest }).toEqual({ status: "rejected", reason });
  begun.resolve();
  expect(await waiting).toEqual({ items: [] });
});

test("events begin at the call while an older transaction keeps what was stored before in the feed", async () => {
  // A server of its own: on the shared one, others would wait for the transaction.
  await using server = await startPostgres({ settings: { fsync: "off" } });
  const { url } = server;
  await using one = await openMemory({
    place: () => url,
    open: (place, options) => postgresLedger({ url: place, ...options }),
  });
  const end = await openTransaction(url);
  await one.memory.store("before");
  const events = one.memory.events();
  const { id, grainIds } = await one.memory.store("after");
  const seen = take(iterate(events), 2);
  await end();
  expect((await seen).map((event) => event.id)).toEqual([id, ...grainIds]);
});
