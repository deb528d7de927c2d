import assert from "node:assert/strict";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, get, sourcesOf } from "../read.ts";
import { type Kind, recordTables } from "../schema.ts";
import { alice, everyPage, headOf, isThere, kinds, rejects, rejectsType, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { bareRecords, fullRecords, inventory, message, named, note, value } from "./samples.ts";
import { group, test } from "./suite.ts";

async function readsBack(ledger: Ledger, kind: Kind, id: string, content: object): Promise<void> {
  const { seq, updatedSeq, recordedAt, ...record } = await theRecord(ledger, kind, id);
  assert.deepEqual(record, { ...content, id }, kind);
  // Absent is absent: neither null, nor a property that holds undefined.
  for (const property of Object.keys(record)) assert.notEqual(Reflect.get(record, property), undefined);
  assert.ok(Number.isSafeInteger(seq) && seq > 0);
  assert.equal(updatedSeq, seq);
  assert.ok(recordedAt > 0);
}

export const roundTrip = group("round trip", [
  test("a record of every kind with every property reads back exactly, by its id and along every index", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: inventory() });
    for (const kind of kinds) {
      await readsBack(ledger, kind, kind, fullRecords[kind]);
      const record = await theRecord(ledger, kind, kind);
      for (const index of ["byId", ...Object.keys(recordTables[kind].indexes)]) {
        const found = await everyPage(ledger, kind, { index });
        assert.deepEqual(
          found.filter(({ id }) => id === kind),
          [record],
          `${kind} ${index}`,
        );
      }
    }
  }),

  test("a record of every kind with what it must have reads back exactly", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: inventory() });
    for (const kind of kinds) await readsBack(ledger, kind, `bare-${kind}`, bareRecords[kind]);
  }),

  test("a property that is explicitly undefined is absent", async ({ open }) => {
    const ledger = await open();
    const records = kinds.flatMap((kind): Insert[] => {
      const missing = Object.keys(fullRecords[kind]).filter((property) => !(property in bareRecords[kind]));
      const undefineds = Object.fromEntries(missing.map((property) => [property, undefined]));
      return [insert(kind, { ...undefineds, ...bareRecords[kind] }, { id: `bare-${kind}` })];
    });
    const others = inventory().filter(({ id }) => id === "message" || id?.endsWith("grain"));
    await ledger.append(alice, {
      operation: "o",
      records: [...others.filter(({ id }) => id !== "bare-grain"), ...records],
    });
    for (const kind of kinds) await readsBack(ledger, kind, `bare-${kind}`, bareRecords[kind]);
  }),

  test("null is not missing: a label that is null is refused", async ({ open }) => {
    const ledger = await open();
    for (const kind of kinds) {
      for (const property of Object.keys(fullRecords[kind])) {
        // JSON null is a value of JSON properties.
        if (["value", "toolCalls", "transcript"].includes(property)) continue;
        const content = { ...fullRecords[kind], [property]: null };
        const records = [insert(kind, content as never)];
        const codes = ["invalid_record", "invalid_metadata", "invalid_id"] as const;
        await rejects(codes, () => ledger.append(alice, { operation: "o", records }), `${kind}.${property}`);
      }
    }
    assert.deepEqual((await ledger.partitions()).partitions, []);
  }),

  test("a stored JSON null is a value, and an absent one is not", async ({ open }) => {
    const ledger = await open();
    const episode = bareRecords.episode;
    const records = [
      named("null", value("null", null)),
      named("e1", insert("episode", { ...episode, transcript: null })),
      named("e2", insert("episode", episode)),
      named("e3", insert("episode", { ...episode, transcript: [] })),
      named("m", message("", { toolCalls: null })),
    ];
    await ledger.append(alice, { operation: "o", records });
    assert.equal((await theRecord(ledger, "value", "null")).value, null);
    const [e1, e2, e3] = await Promise.all(["e1", "e2", "e3"].map((id) => theRecord(ledger, "episode", id)));
    assert.ok(e1 && e2 && e3);
    assert.equal(e1.transcript, null);
    assert.ok("transcript" in e1 && !("transcript" in e2));
    assert.deepEqual(e3.transcript, []);
    assert.equal((await theRecord(ledger, "message", "m")).toolCalls, null);
  }),

  test("an empty metadata object is not missing metadata", async ({ open }) => {
    const ledger = await open();
    const records = [named("empty", note("", { metadata: {} })), named("none", note(""))];
    await ledger.append(alice, { operation: "o", records });
    assert.deepEqual((await theRecord(ledger, "text", "empty")).metadata, {});
    assert.ok(!("metadata" in (await theRecord(ledger, "text", "none"))));
  }),

  test("sources read back with role and span; the same source may have two roles", async ({ open }) => {
    const ledger = await open();
    const sources = [
      { kind: "message", id: "m", start: 0, end: 4 },
      { kind: "message", id: "m", role: "supports" },
      { kind: "message", id: "m", role: "source", start: 5, end: 6 },
    ];
    const records = [named("m", message("said")), insert("text", note("n").value, { id: "n", sources })];
    await ledger.append(alice, { operation: "o", records });
    const [found] = await ledger.read([alice], [sourcesOf("text", "n")]);
    // The third is the first once more, and the last word counts.
    assert.equal(found.length, 2);
    assert.deepEqual(
      found.find(({ role }) => role === "supports"),
      sources[1],
    );
    assert.equal(found.filter(({ role }) => role === "source").length, 1);
  }),

  test("a patch changes what it names and keeps the rest", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.append(alice, { operation: "o", records: inventory() });
    const before = await theRecord(ledger, "text", "text");
    clock.advance(1000);
    const mutations = [
      {
        type: "patch",
        kind: "text",
        id: "text",
        value: { content: "New.", metadata: { a: 1 } },
        removed: ["contentKey"],
      },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } });
    const after = await theRecord(ledger, "text", "text");
    const { contentKey: _gone, ...kept } = before;
    const { updatedSeq } = after;
    assert.ok(updatedSeq > before.updatedSeq);
    // Record time is that of the insert; `updatedSeq` tells that it changed.
    assert.deepEqual(after, { ...kept, content: "New.", metadata: { a: 1 }, updatedSeq });
    assert.deepEqual(
      await everyPage(ledger, "text", { index: "byContent", prefix: ["key of the content"] }),
      [],
    );
  }),

  test("a patch can add what was absent, to every kind", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: inventory() });
    const changes: readonly (readonly [Kind, object])[] = [
      ["message", { metadata: { a: "b" }, expiresAt: 4e12 }],
      ["episode", { transcript: null }],
      ["text", { contentKey: "k" }],
      ["grain", { start: 0, end: 0, importance: 1, pinned: false }],
      ["fact", { status: "retired", retiredAt: 5 }],
      ["block", { pinned: false, maxBytes: 1 }],
      ["value", { value: "something" }],
      ["conduit", { lastUsedAt: -5 }],
      ["trace", { expiresAt: 4e12 }],
    ];
    const mutations = changes.map(([kind, value]) => ({ type: "patch", kind, id: `bare-${kind}`, value }));
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } as never });
    for (const [kind, change] of changes) {
      const {
        seq: _s,
        updatedSeq: _u,
        recordedAt: _r,
        ...record
      } = await theRecord(ledger, kind, `bare-${kind}`);
      assert.deepEqual(record, { ...bareRecords[kind], ...change, id: `bare-${kind}` });
    }
  }),

  test("what is handed out shares nothing with the store", async ({ open }) => {
    const ledger = await open();
    const stored = { list: [1, 2, 3], deep: { a: "b" } };
    await ledger.append(alice, { operation: "o", records: [named("v", value("k", stored))] });
    const first = (await theRecord(ledger, "value", "v")).value as { list: number[]; deep: { a: string } };
    first.list.push(4);
    first.deep.a = "changed";
    assert.deepEqual((await theRecord(ledger, "value", "v")).value, stored);
  }),

  test("what is stored shares nothing with the caller's objects, which may be frozen or change at once", async ({
    open,
  }) => {
    const ledger = await open();
    const deepFreeze = <T>(object: T): T => {
      if (typeof object === "object" && object !== null) Object.values(object).forEach(deepFreeze);
      return Object.freeze(object);
    };
    const frozen = deepFreeze({
      operation: "frozen",
      records: inventory(),
      jobs: [{ queue: "q", payload: [1] }],
    });
    await ledger.append(deepFreeze({ namespace: "default", userId: "alice" }), frozen);
    await readsBack(ledger, "message", "message", fullRecords.message);

    const metadata = { tags: ["before"] };
    const content = { ...note("before").value, metadata };
    const records = [insert("text", content, { id: "t" })];
    const payload = { n: 1 };
    const jobs = [{ queue: "q2", payload }];
    const appended = ledger.append(alice, { operation: "mutable", records, jobs });
    Object.assign(content, { content: "after" });
    metadata.tags[0] = "after";
    payload.n = 2;
    records.length = 0;
    await appended;
    const text = await theRecord(ledger, "text", "t");
    assert.deepEqual([text.content, text.metadata], ["before", { tags: ["before"] }]);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q2" })).jobs[0]?.payload, { n: 1 });

    const input = { mutations: [{ type: "patch", kind: "text", id: "t", value: { content: "planned" } }] };
    const updated = ledger.update(alice, { operation: "plan", plan: apply, input });
    Object.assign(input.mutations[0] as object, { value: { content: "too late" } });
    await updated;
    assert.equal((await theRecord(ledger, "text", "t")).content, "planned");
  }),

  test("no property that the schema does not know is stored", async ({ open }) => {
    const ledger = await open();
    for (const extra of ["id", "seq", "userId", "namespace", "bytes", "unknown"]) {
      const content = { ...note("n").value, [extra]: "x" };
      const records = [insert("text", content as never)];
      await rejects("invalid_record", () => ledger.append(alice, { operation: "o", records }), extra);
    }
  }),

  test("reads of one call come in its order, and of nothing as undefined or empty", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("a", note("a")), named("b", note("b"))] });
    const [b, missing, page, a] = await ledger.read(
      [alice],
      [get("text", "b"), get("text", "nowhere"), find("message"), get("text", "a")],
    );
    assert.deepEqual([b?.content, missing, page.items, a?.content], ["b", undefined, [], "a"]);
    assert.deepEqual(await ledger.read([alice], []), []);
    assert.equal((await headOf(ledger)).records, 2);
    await rejectsType("invalid_argument", () => ledger.read([alice], "no list" as never));
  }),

  test("an id belongs to its kind: the same one may name a record of each", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("same", note("text")),
      named("same", message("message")),
      named("same", value("k", 1)),
    ];
    await ledger.append(alice, { operation: "o", records });
    for (const { kind } of records) assert.ok(await isThere(ledger, kind, "same"));
    assert.equal(await isThere(ledger, "episode", "same"), false);
  }),
]);
