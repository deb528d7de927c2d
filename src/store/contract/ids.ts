import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { find, get, head } from "../read.ts";
import { alice, each, everyPage, isThere, rejects, rejectsType, theRecord } from "./expectations.ts";
import { apply } from "./plans.ts";
import { bareRecords, block, conduit, grain, message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

/** Ids that some store or some code somewhere would take for another, or for a pattern. */
export const awkwardIds: readonly string[] = [
  ...[
    "*",
    "%",
    "_",
    "?",
    "%%",
    "a%",
    "a_",
    "a*",
    "ab",
    "A",
    "a",
    "null",
    "undefined",
    "0",
    "42",
    "-1",
    "true",
  ],
  ...[
    "'",
    '"',
    "`",
    "''",
    "'; drop table text; --",
    "$1",
    ":a",
    "@a",
    "\\",
    "\\\\",
    "\\x00",
    "{}",
    "[]",
    "()",
    ";",
  ],
  ...[
    " ",
    "a ",
    " a",
    "a\t",
    "\n",
    "\r\n",
    "\u00a0",
    "\u200b",
    "\ufeff",
    "a\u0301",
    "\u00e1",
    "ß",
    "SS",
    "ss",
  ],
  ...["/", "a/b", "..", ".", "a.b", "a,b", "a|b", "a&b", "a=b", "a:b", "a#b", "a\u0001b", "\u007f", "\u001f"],
  ...[
    "日本語",
    "한국어",
    "مرحبا",
    "שלום",
    "👨‍👩‍👧",
    "👨",
    "é",
    "e\u0301",
    "İ",
    "ı",
    "i",
    "I",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "\u{10ffff}",
  ],
];

/** 512 bytes, in characters of one to four bytes. */
const longest = ["x", "é", "鍵", "🔑"].map((character) => {
  const size = new TextEncoder().encode(character).length;
  return character.repeat(Math.floor(512 / size)) + "y".repeat(512 % size);
});

const refusedIds: Readonly<Record<string, string>> = {
  "the empty string": "",
  "513 bytes in 1-byte characters": "x".repeat(513),
  "513 bytes in 2-byte characters": `${"é".repeat(256)}x`,
  "513 bytes in 3-byte characters": "鍵".repeat(171),
  "513 bytes in 4-byte characters": `${"🔑".repeat(128)}x`,
  "a megabyte": "x".repeat(1_000_000),
  NUL: "\0",
  "NUL inside": "a\0b",
  "a high surrogate alone": "\ud800",
  "a low surrogate alone": "a\udc00",
  "surrogates in the wrong order": "\udc00\ud800",
};

export const ids = group("ids", [
  test("awkward ids are all different, and kept as they are", async ({ open }) => {
    const ledger = await open();
    const different = [...new Set(awkwardIds)];
    await ledger.append(alice, {
      operation: "o",
      records: different.map((id) => named(id, note(`text ${id}`))),
    });
    for (const id of different) {
      const record = await theRecord(ledger, "text", id);
      assert.deepEqual([record.id, record.content], [id, `text ${id}`]);
    }
    assert.equal((await everyPage(ledger, "text", { limit: 7 })).length, different.length);
  }),

  test("awkward ids as labels and as keys find their own records alone", async ({ open }) => {
    const ledger = await open();
    const different = [...new Set(awkwardIds)];
    const records = different.flatMap((id) => [
      named(`m ${id}`, message(id, { sessionId: id })),
      named(`t ${id}`, note(id, { contentKey: id, agentId: id })),
      named(`b ${id}`, insert("block", { agentId: id, name: id, content: id, position: 0 })),
    ]);
    await ledger.append(alice, { operation: "o", records });
    for (const id of different) {
      const [messages, byContent, byAgent, blocks] = await ledger.read(
        [alice],
        [
          find("message", { index: "bySession", prefix: [id] }),
          find("text", { index: "byContent", prefix: [id] }),
          find("text", { index: "byAgent", prefix: [id] }),
          find("block", { index: "byName", prefix: [id, id] }),
        ],
      );
      for (const { items } of [messages, byContent, byAgent, blocks])
        assert.deepEqual(
          items.map(({ content }) => content),
          [id],
        );
    }
  }),

  test("ids of 512 bytes in characters of one to four bytes, in every place at once", async ({ open }) => {
    const ledger = await open();
    for (const id of longest) {
      assert.equal(new TextEncoder().encode(id).length, 512);
      const other = `${Array.from(id).slice(0, -1).join("")}z`;
      const labels = { sessionId: id, agentId: id };
      const twins = [id, other];
      const who = { namespace: id, userId: id };
      const records = [
        ...twins.map((name) => named(name, message(name, labels))),
        named(id, note("n", { ...labels, contentKey: id }), ["message", id]),
        ...twins.map((name) => named(name, insert("grain", { ...grain("message", id), ...labels }))),
        named(id, insert("fact", { ...bareRecords.fact, ...labels, factId: id, subject: id, predicate: id })),
        named(id, insert("value", { agentId: id, scope: id, key: id, value: id })),
        named(id, insert("block", { agentId: id, name: id, content: id, position: 0 })),
        named(id, insert("conduit", conduit(twins[0] as string, twins[1] as string, id))),
        named(id, insert("trace", { ...labels, query: id, hits: [{ grainId: id, score: 1 }], caller: id })),
      ];
      const jobs = [{ queue: id, sources: [{ kind: "message", id }] }];
      const receipt = await ledger.append(who, { operation: id, records, jobs });
      assert.deepEqual(
        receipt.ids,
        records.map(({ id }) => id),
      );
      const [facts, conduits, page] = await ledger.read(
        [who],
        [
          find("fact", { index: "byPredicate", prefix: ["current", id] }),
          find("conduit", { index: "byEnds", prefix: [twins[0] as string, twins[1] as string, id] }),
          find("message", { index: "bySession", prefix: [id], limit: 1 }),
        ],
      );
      assert.deepEqual([facts.items[0]?.id, conduits.items[0]?.id], [id, id]);
      const [next] = await ledger.read(
        [who],
        [find("message", { index: "bySession", prefix: [id], limit: 1, after: page.cursor })],
      );
      assert.deepEqual(
        [...page.items, ...next.items].map((record) => record.id),
        twins,
      );
      const [claimed] = await ledger.jobs.claim({ queues: [id], leaseFor: 1000 });
      assert.deepEqual([claimed?.queue, claimed?.partition], [id, who]);
      const erased = await ledger.erase(who, {
        operation: `${other}e`.slice(-100).toWellFormed(),
        refs: [{ kind: "message", id }],
      });
      assert.equal(erased.counts.message, 1);
      await rejects("erased", () =>
        ledger.append(who, { operation: "again", records: [named(id, message("x"))] }),
      );
    }
  }),

  test("what is no id is refused wherever one is wanted", async ({ open }) => {
    const ledger = await open();
    await each(refusedIds, async (id) => {
      const append = (...records: Parameters<typeof ledger.append>[1]["records"]) =>
        ledger.append(alice, { operation: "o", records });
      const { fact, trace } = bareRecords;
      const places: Readonly<Record<string, () => Promise<unknown>>> = {
        "record.id": () => append(named(id, note(""))),
        "message.sessionId": () => append(message("", { sessionId: id })),
        "message.agentId": () => append(message("", { agentId: id })),
        "message.toolCallId": () => append(message("", { toolCallId: id })),
        "text.contentKey": () => append(note("", { contentKey: id })),
        "fact.factId": () => append(insert("fact", { ...fact, factId: id })),
        "fact.subject": () => append(insert("fact", { ...fact, subject: id })),
        "block.name": () => append(block(id)),
        "value.key": () => append(insert("value", { agentId: "a", scope: "s", key: id, value: 1 })),
        "value.scope": () => append(insert("value", { agentId: "a", scope: id, key: "k", value: 1 })),
        "grain.ownerId": () => append(insert("grain", grain("text", id))),
        "conduit.fromId": () => append(insert("conduit", conduit(id, "g"))),
        "conduit.relation": () => append(insert("conduit", conduit("g", "h", id))),
        "trace.caller": () => append(insert("trace", { ...trace, caller: id })),
        "trace.hits.grainId": () => append(insert("trace", { ...trace, hits: [{ grainId: id, score: 0 }] })),
        "source.id": () => append(named("n", note(""), ["text", id])),
        "source.role": () =>
          append(insert("text", note("").value, { sources: [{ kind: "text", id: "t", role: id }] })),
        operation: () => ledger.append(alice, { operation: id, records: [] }),
        "update.operation": () =>
          ledger.update(alice, { operation: id, plan: apply, input: { mutations: [] } }),
        "job.queue": () => ledger.append(alice, { operation: "o", records: [], jobs: [{ queue: id }] }),
        "claim.queues": () => ledger.jobs.claim({ queues: ["q", id], leaseFor: 1 }),
        "list.queue": () => ledger.jobs.list(alice, { queue: id }),
        "revive.id": () => ledger.jobs.revive(alice, id),
        "get.id": () => ledger.read([alice], [get("text", id)]),
        "find.prefix": () => ledger.read([alice], [find("text", { index: "byContent", prefix: [id] })]),
        "erase.operation": () => ledger.erase(alice, { operation: id, refs: [] }),
        "erase.refs": () => ledger.erase(alice, { operation: "o", refs: [{ kind: "text", id }] }),
        "erase.sessionId": () => ledger.erase(alice, { operation: "o", sessionId: id }),
        "erasure.id": () => ledger.erasure(alice, id),
        "verify.id": () => ledger.verify(alice, id),
        namespace: () => ledger.read([{ namespace: id, userId: null }], [head()]),
      };
      for (const [place, call] of Object.entries(places)) await rejects("invalid_id", call, place);
      const userId = () => ledger.read([{ namespace: "default", userId: id }], [head()]);
      await rejects("invalid_user_id", userId, "userId");
    });
    assert.deepEqual((await ledger.partitions()).partitions, []);
  }),

  test("numbers, and other things that are no strings, are no ids", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("42", note("text"))] });
    for (const id of [
      42,
      42n,
      true,
      {},
      ["42"],
      Symbol("42"),
      () => "42",
      { toString: () => "42" },
    ] as never[]) {
      await rejectsType("invalid_id", () => ledger.read([alice], [get("text", id)]));
      await rejectsType("invalid_id", () => ledger.append(alice, { operation: id, records: [] }));
      await rejectsType("invalid_id", () =>
        ledger.append(alice, { operation: "p", records: [named(id, note(""))] }),
      );
      await rejectsType(["invalid_record", "invalid_id"], () =>
        ledger.append(alice, { operation: "p", records: [note("", { contentKey: id })] }),
      );
      await rejectsType("invalid_id", () =>
        ledger.erase(alice, { operation: "p", refs: [{ kind: "text", id }] }),
      );
      await rejectsType("invalid_user_id", () => ledger.read([{ namespace: "n", userId: id }], [head()]));
      await rejectsType("invalid_id", () => ledger.read([{ namespace: id, userId: "u" }], [head()]));
    }
    assert.ok(await isThere(ledger, "text", "42"));
  }),

  test("ids are compared byte for byte: neither case, nor accents in two forms, nor blanks are the same", async ({
    open,
  }) => {
    const ledger = await open();
    const pairs = [
      ["a", "A"],
      ["\u00e9", "e\u0301"],
      ["a", "a "],
      ["ß", "ss"],
      ["\uac00", "\u1100\u1161"],
    ] as const;
    const names = [...new Set(pairs.flat())];
    await ledger.append(alice, {
      operation: "o",
      records: names.map((name) => named(name, block(name, name))),
    });
    for (const [one, other] of pairs) {
      assert.equal((await theRecord(ledger, "block", one)).content, one);
      assert.equal((await theRecord(ledger, "block", other)).content, other);
    }
    await rejects("already_exists", () =>
      ledger.append(alice, { operation: "p", records: [named("x", block("é"))] }),
    );
  }),
]);
