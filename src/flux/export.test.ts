import { expect, test } from "vitest";
import { exported, kept } from "../../test/support/exported.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { pages } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { randomItems } from "../../test/support/random-items.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import type { ExportLine, RecordLine } from "./export-line.ts";
import type { FluxMemory, ImportReport } from "./flux-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { StoreItem } from "./store-items.ts";

const hour = 3_600_000;

/** What of them says something, whatever ids there are. */
function said(lines: readonly ExportLine[]): object[] {
  return kept(lines).map((line) => {
    const { id: _id, grains = [], ...rest } = line as RecordLine;
    return { ...rest, grains: grains.map(({ id: _grainId, ...grain }) => grain) };
  });
}

async function listed(memory: FluxMemory): Promise<MemoryRecord[]> {
  return (await pages(memory, { order: "oldest", limit: 300 })).flat();
}

onEveryStore((store) => {
  test("an export that is imported elsewhere is the same memory", async () => {
    await using one = await openMemory(store);
    for (const [seed, agentId] of [undefined, "coach"].entries()) {
      const memory = one.flux.for({ userId: "alice", ...(agentId === undefined ? {} : { agentId }) });
      const results = await memory.storeBatch(randomItems(seed, 150, one.clock.now()));
      for (const { id, grainIds } of results.slice(0, 20)) if (grainIds.length > 0) await memory.archive(id);
    }
    const lines = await exported(one.memory);
    expect(lines[0]).toEqual({ type: "flux-memory", version: 2, exportedAt: one.clock.now() });
    expect(lines.slice(1)).toEqual(
      (await listed(one.memory)).map((record) =>
        expect.objectContaining({ id: record.id, text: record.text }),
      ),
    );
    const bob = one.flux.for({ userId: "bob", agentId: "other", sessionId: "other" });
    const reports: ImportReport[] = [];
    const report = await bob.import(lines, { onProgress: (report) => reports.push(report) });
    expect(report).toEqual({ stored: lines.length - 1, mentioned: 0, expired: 0, conflicts: 0 });
    expect(reports.at(-1)).toEqual(report);
    expect(kept(await exported(bob))).toEqual(kept(lines));
    const { hits } = await bob.recall("text 3", { k: 3 });
    expect(hits.map(({ text }) => text)).toContain("text 3");
  });

  test("the same import again stores nothing, also in other batches, and counts no mention", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch(randomItems(7, 100, one.clock.now()));
    await one.memory.storeBatch(
      Array.from(
        { length: 3 },
        (): StoreItem => ({ role: "user", content: "yes", sessionId: "s", saidAt: 5 }),
      ),
    );
    const lines = await exported(one.memory);
    const bob = one.flux.for({ userId: "bob" });
    const [header, ...records] = lines;
    const again: readonly (readonly (ExportLine | undefined)[])[] = [
      lines,
      lines,
      [header, ...records.slice(0, 40)],
      [header, ...records.slice(40)],
      [header, ...records.toReversed()],
    ];
    for (const [i, some] of again.entries()) {
      const report = await bob.import(some as ExportLine[]);
      const there = some.length - 1;
      expect(report).toEqual({
        stored: i === 0 ? there : 0,
        mentioned: i === 0 ? 0 : there,
        expired: 0,
        conflicts: 0,
      });
      expect(kept(await exported(bob))).toEqual(kept(lines));
    }
    expect(await one.memory.import(lines)).toMatchObject({ stored: 0 });
    expect(await exported(one.memory)).toEqual(lines);
  });

  test("the same message many times over is kept as often, across batches", async () => {
    await using one = await openMemory(store);
    const yes = (): StoreItem => ({ role: "user", content: "yes", sessionId: "s", saidAt: 5 });
    for (let i = 0; i < 2; i++) await one.memory.storeBatch(Array.from({ length: 350 }, yes));
    const lines = await exported(one.memory);
    const bob = one.flux.for({ userId: "bob" });
    expect(await bob.import(lines)).toMatchObject({ stored: 700 });
    expect(await bob.import(lines)).toMatchObject({ stored: 0, mentioned: 700 });
    expect(await listed(bob)).toHaveLength(700);
  });

  test("what was erased can be imported again, and only that", async () => {
    await using one = await openMemory(store);
    const results = await one.memory.storeBatch([
      { text: "one" },
      { role: "user", content: "two", sessionId: "s" },
      { role: "user", content: "three", sessionId: "s" },
    ]);
    const lines = await exported(one.memory);
    await one.memory.import(lines);
    await one.memory.erase({ id: results[1]?.id ?? "" });
    expect(await one.memory.import(lines)).toEqual({ stored: 1, mentioned: 2, expired: 0, conflicts: 0 });
    await one.memory.erase({ everything: true });
    expect(await one.memory.import(lines)).toEqual({ stored: 3, mentioned: 0, expired: 0, conflicts: 0 });
    expect(said(await exported(one.memory))).toEqual(said(lines));
    // Once more, with ids that were used up twice.
    await one.memory.erase({ everything: true });
    expect(await one.memory.import(lines)).toMatchObject({ stored: 3 });
    expect(await one.memory.import(lines)).toMatchObject({ stored: 0, mentioned: 3 });
  });

  test("what has expired since the export is left out", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch([{ text: "stays" }, { text: "goes", expiresAt: one.clock.now() + hour }]);
    const lines = await exported(one.memory);
    one.clock.advance(hour);
    const bob = one.flux.for({ userId: "bob" });
    expect(await bob.import(lines)).toEqual({ stored: 1, mentioned: 0, expired: 1, conflicts: 0 });
    expect((await listed(bob)).map(({ text }) => text)).toEqual(["stays"]);
  });

  test("what is purged is not exported, nor what was derived from it", async () => {
    await using one = await openMemory(store);
    for (const word of ["said", "purged"]) {
      const { id } = await one.memory.store(word);
      const value = {
        form: "statement",
        content: `of ${word}`,
        provenance: "ai_inferred",
        statedAt: 1,
      } as const;
      await one.ledger.append(partition({ userId: "alice" }), {
        operation: word,
        records: [insert("text", value, { sources: [{ kind: "text", id }] })],
      });
      if (word === "purged") await one.memory.purge(id);
    }
    const lines = await exported(one.memory);
    expect(lines.slice(1).map((line) => (line as RecordLine).text)).toEqual(["said", "of said"]);
    const bob = one.flux.for({ userId: "bob" });
    expect(await bob.import(lines)).toMatchObject({ stored: 2 });
    expect((await listed(bob)).map(({ text }) => text)).toEqual(["said", "of said"]);
  });

  test("a line that is wrong is named, and its batch is not stored; the retry goes on", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch(Array.from({ length: 600 }, (_, i) => ({ text: `text ${i}` })));
    const lines = await exported(one.memory);
    const bob = one.flux.for({ userId: "bob" });
    const broken = bob.import(lines.with(550, { ...lines[550], status: "gone" } as never));
    await expect(broken).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringMatching(/^Line 551: /),
    });
    expect(await listed(bob)).toHaveLength(500);
    expect(await bob.import(lines)).toEqual({ stored: 100, mentioned: 500, expired: 0, conflicts: 0 });
  });

  test("what is no export is refused, an empty one is empty", async () => {
    await using one = await openMemory(store);
    const wrong = [[{ type: "record", text: "x" }], [5], ["text"], "text", 5, null, { length: 1 }];
    for (const lines of wrong)
      await expect(one.memory.import(lines as never)).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await one.memory.import([])).toEqual({ stored: 0, mentioned: 0, expired: 0, conflicts: 0 });
    expect(await one.memory.import(await exported(one.memory))).toEqual({
      stored: 0,
      mentioned: 0,
      expired: 0,
      conflicts: 0,
    });
    for (const options of [{ operation: "" }, { onProgress: 5 }, { batch: 5 }, { signal: {} }])
      await expect(one.memory.import([], options as never)).rejects.toMatchObject({ code: /invalid_/ });
  });

  test("lines are read as they are stored: none is asked for before its batch begins", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch(Array.from({ length: 900 }, (_, i) => ({ text: `text ${i}` })));
    const lines = await exported(one.memory);
    let read = 0;
    async function* counted(): AsyncGenerator<ExportLine> {
      for (const line of lines) {
        read += 1;
        yield line;
      }
    }
    const progress: [number, number][] = [];
    const onProgress = ({ stored }: ImportReport): void => void progress.push([stored, read]);
    await one.flux.for({ userId: "bob" }).import(counted(), { onProgress });
    // A header, and a line that shows that the batch before it is full.
    expect(progress).toEqual([
      [500, 502],
      [900, 901],
    ]);
  });

  test("an aborted call ends between two batches, and a memory that is closed does too", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch(Array.from({ length: 700 }, (_, i) => ({ text: `text ${i}` })));
    const lines = await exported(one.memory);
    const stop = new AbortController();
    const bob = one.flux.for({ userId: "bob" });
    const import_ = bob.import(lines, { signal: stop.signal, onProgress: () => stop.abort("enough") });
    await expect(import_).rejects.toBe("enough");
    expect(await listed(bob)).toHaveLength(500);
    const export_ = one.memory.export({ signal: stop.signal })[Symbol.asyncIterator]();
    await expect(export_.next()).rejects.toBe("enough");
    const open = one.memory.export()[Symbol.asyncIterator]();
    await open.next();
    await one.flux.close();
    await expect(open.next()).rejects.toMatchObject({ code: "closed" });
    await expect(one.memory.import(lines)).rejects.toMatchObject({ code: "closed" });
  });
});

test("nothing of a line is trusted", async () => {
  await using one = await openMemory({
    place: () => "inmemory",
    open: (_place, options) => inMemoryLedger(options),
  });
  await one.memory.storeBatch([{ text: "one" }, { text: "two" }]);
  const lines = await exported(one.memory);
  const line = lines[2] as RecordLine;
  const wrong: [unknown, string][] = [
    [{ ...line, text: 5 }, "invalid_argument"],
    [{ ...line, text: "" }, "invalid_argument"],
    [{ ...line, type: "recrod" }, "invalid_argument"],
    [{ ...line, kind: "fact" }, "invalid_argument"],
    [{ ...line, text: "ä".repeat(9_000_000) }, "too_large"],
    [{ ...line, kind: "message", role: "user", sessionId: undefined }, "invalid_argument"],
    [{ ...line, kind: "message", sessionId: "s" }, "invalid_argument"],
    [{ ...line, saidAt: "2026-01-01" }, "invalid_argument"],
    [{ ...line, status: "gone" }, "invalid_argument"],
    [{ ...line, mentions: -1 }, "invalid_argument"],
    [{ ...line, provenance: "rumour" }, "invalid_argument"],
    [{ ...line, importance: 7 }, "invalid_argument"],
    [{ ...line, pinned: "yes" }, "invalid_argument"],
    [{ ...line, sessionId: "" }, "invalid_id"],
    [{ ...line, metadata: { a: { b: 1 } } }, "invalid_metadata"],
    [{ ...line, userId: "alice" }, "invalid_argument"],
    [{ ...line, id: "" }, "invalid_id"],
    [{ ...line, id: undefined }, "invalid_argument"],
    [{ ...line, form: "poem" }, "invalid_argument"],
    [{ ...line, unread: false }, "invalid_argument"],
    [{ ...line, namespace: "other" }, "invalid_argument"],
    [JSON.parse(`{"type":"record","__proto__":{"id":"x"}}`), "invalid_id"],
    [{ ...line, grains: [{ id: "a" }, { id: "a" }] }, "invalid_argument"],
    [{ ...line, grains: [{ id: "a", start: -1 }] }, "invalid_argument"],
    [{ ...line, grains: {} }, "invalid_argument"],
    [{ ...line, grains: [{ id: "a", ownerId: "b" }] }, "invalid_argument"],
    [{ ...line, sources: [{ kind: "job", id: "a" }] }, "invalid_argument"],
    [{ ...line, sources: [{ kind: "__proto__", id: "a" }] }, "invalid_argument"],
    [{ ...line, sources: [{ kind: "text", id: "" }] }, "invalid_id"],
    [{ type: "fact", id: "f", subject: "user" }, "invalid_argument"],
    [{ type: "block", id: "b", name: "persona", content: 5, position: 0 }, "invalid_record"],
    [
      { type: "block", id: "b", name: "persona", content: "", position: 0, userId: "alice" },
      "invalid_argument",
    ],
    [{ type: "value", id: "v", agentId: "a", scope: "s", key: "" }, "invalid_id"],
    [{ type: "trace", id: "t", query: "", hits: [] }, "invalid_argument"],
    [{ type: "links", kind: "message", id: "m", sources: [] }, "invalid_argument"],
    [{ type: "flux-memory", version: 3, exportedAt: 0 }, "outdated"],
    [{ type: "flux-memory" }, "invalid_argument"],
    [{ type: "flux-memory", version: 2 }, "invalid_argument"],
    [[], "invalid_argument"],
    [null, "invalid_argument"],
    ["{}", "invalid_argument"],
  ];
  const bob = one.flux.for({ userId: "bob" });
  for (const [bad, code] of wrong) {
    const broken = bob.import(lines.with(2, bad as ExportLine));
    await expect(broken, JSON.stringify(bad)?.slice(0, 200)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^Line 3: /),
    });
  }
  expect(await listed(bob)).toHaveLength(0);
});
