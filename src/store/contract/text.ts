import assert from "node:assert/strict";
import type { Partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import type { Kind } from "../schema.ts";
import { alice, each, everyPage, isThere, rejects, theRecord } from "./expectations.ts";
import { apply } from "./plans.ts";
import { bareRecords, block, fact, message, named, note, value } from "./samples.ts";
import { group, test } from "./suite.ts";

const wellFormed: Readonly<Record<string, string>> = {
  empty: "",
  "white space": " \t\r\n\u00a0\u2003\u200b\ufeff",
  "control characters": Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join(""),
  emoji: "👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ❤️",
  "Chinese, Japanese, Korean": "我住在柏林。東京に住んでいます。서울에 살아요. 𠮷野家",
  "right to left": "مرحبا بالعالم שלום עולם \u202eabc\u202c \u2067x\u2069",
  "Thai, Devanagari, Tamil": "สวัสดี नमस्ते வணக்கம்",
  "accents in two forms": "é e\u0301 ñ n\u0303 Å Å",
  "noncharacters and the replacement itself": "\ufffd\ufffe\uffff\u{1ffff}\u{10ffff}",
  "what looks like code": `'; drop table "text"; -- \\x00 \${x} <b> &amp; %00 \\u0000 $1 ? :a {"a":1}`,
  "line ends": "a\nb\r\nc\rd\u2028e\u0085f",
};

/** Text as given, and as every store keeps it. */
const repaired: readonly (readonly [string, string])[] = [
  ["\0", "\ufffd"],
  ["a\0b\0", "a\ufffdb\ufffd"],
  ["\ud800", "\ufffd"],
  ["a\udc00b", "a\ufffdb"],
  ["\udc00\ud800", "\ufffd\ufffd"],
  ["👍".slice(0, 1), "\ufffd"],
  ["x👍".slice(0, 2), "x\ufffd"],
  ["\ud83d👍\udc4d\0", "\ufffd👍\ufffd\ufffd"],
];

/** Inserts with a text in every place that can hold one. */
function everywhere(text: string): Insert[] {
  const { episode, trace } = bareRecords;
  return [
    named("message", message(text, { name: text, toolCalls: [{ [text]: text }] })),
    named("episode", insert("episode", { ...episode, input: text, output: text, transcript: text })),
    named("text", note(text, { metadata: { said: text, list: [text] } })),
    named(
      "fact",
      fact(text, { reason: text, validFrom: { at: 0, precision: "day", words: text, zone: text } }),
    ),
    named("block", block("b", text)),
    named("value", value("k", [text, { [text]: text }])),
    named("trace", insert("trace", { ...trace, query: text })),
  ];
}

function contentOf(kind: Kind, text: string): unknown {
  return everywhere(text).find((record) => record.kind === kind)?.value;
}

/** A record without what the ledger gave it, but for its id. */
async function contentIn(ledger: Ledger, kind: Kind, id: string, user: Partition): Promise<object> {
  const {
    seq: _seq,
    updatedSeq: _updated,
    recordedAt: _recorded,
    ...record
  } = await theRecord(ledger, kind, id, user);
  return record;
}

export const text = group("text", [
  test("text of every script reads back as it was given, in every place", async ({ open }) => {
    const ledger = await open();
    await each(wellFormed, async (content, name) => {
      const user = { namespace: "default", userId: name };
      const receipt = await ledger.append(user, { operation: "o", records: everywhere(content) });
      assert.deepEqual(receipt.repaired, []);
      for (const { kind, id = "" } of everywhere(content))
        assert.deepEqual(await contentIn(ledger, kind, id, user), {
          ...(contentOf(kind, content) as object),
          id,
        });
    });
  }),

  test("lone surrogates and NUL become U+FFFD in every place, and the record says so", async ({ open }) => {
    const ledger = await open();
    for (const [i, [given, kept]] of repaired.entries()) {
      const user = { namespace: "default", userId: `user ${i}` };
      const receipt = await ledger.append(user, { operation: "o", records: everywhere(given) });
      assert.deepEqual(
        receipt.repaired,
        everywhere(given).map(({ id }) => id),
      );
      for (const { kind, id } of everywhere(given)) {
        assert.deepEqual(await contentIn(ledger, kind, id as string, user), {
          ...(contentOf(kind, kept) as object),
          id,
          repaired: true,
        });
      }
    }
  }),

  test("only what was repaired is marked as repaired", async ({ open }) => {
    const ledger = await open();
    const records = [named("whole", note("whole 👍")), named("cut", note("cut \ud83d"))];
    const receipt = await ledger.append(alice, { operation: "o", records });
    assert.deepEqual(receipt.repaired, ["cut"]);
    assert.ok(!("repaired" in (await theRecord(ledger, "text", "whole"))));
    const replay = await ledger.append(alice, { operation: "o", records });
    assert.deepEqual([replay.replayed, replay.repaired], [true, ["cut"]]);
  }),

  test("an emoji text cut at every place can be stored", async ({ open }) => {
    const ledger = await open();
    const whole = "👨‍👩‍👧‍👦👍🏽🇩🇪";
    const cuts = Array.from(whole, (_, i) => i).concat(Array.from({ length: whole.length }, (_, i) => i));
    const records = [...new Set(cuts)].flatMap((i) => [
      named(`head ${i}`, note(whole.slice(0, i))),
      named(`tail ${i}`, note(whole.slice(i))),
    ]);
    await ledger.append(alice, { operation: "o", records });
    for (const { id, value } of records)
      assert.equal((await theRecord(ledger, "text", id as string)).content, value.content.toWellFormed());
  }),

  test("a patch repairs as well, and a record that was ever repaired stays marked", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("whole"))] });
    const set = (operation: string, content: string) => {
      const mutations = [{ type: "patch", kind: "text", id: "t", value: { content } }];
      return ledger.update(alice, { operation, plan: apply, input: { mutations } });
    };
    // The plan's input is repaired before the plan sees it; so the record is not marked by it.
    await set("p", "cut \0");
    assert.equal((await theRecord(ledger, "text", "t")).content, "cut \ufffd");
    await ledger.append(alice, { operation: "q", records: [named("u", note("cut \0"))] });
    const mutations = [{ type: "patch", kind: "text", id: "u", value: { content: "whole" } }];
    await ledger.update(alice, { operation: "r", plan: apply, input: { mutations } });
    const { content, repaired } = await theRecord(ledger, "text", "u");
    assert.deepEqual([content, repaired], ["whole", true]);
  }),

  test("texts that differ in their repair only are the same operation", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("\0")] });
    const replay = await ledger.append(alice, { operation: "o", records: [note("\ufffd")] });
    assert.equal(replay.replayed, true);
  }),

  test("metadata values are repaired, its keys are refused", async ({ open }) => {
    const ledger = await open();
    for (const key of ["\0", "\ud800", "", "x".repeat(129), "and", "or", "not"]) {
      const records = [note("", { metadata: { [key]: "x" } })];
      await rejects("invalid_metadata", () => ledger.append(alice, { operation: "o", records }));
    }
    const metadata = { ["é".repeat(64)]: "\0", __proto__x: "y" };
    await ledger.append(alice, { operation: "o", records: [named("t", note("", { metadata }))] });
    assert.deepEqual((await theRecord(ledger, "text", "t")).metadata, {
      ...metadata,
      ["é".repeat(64)]: "\ufffd",
    });
  }),

  test("metadata at its limits: 64 keys, 16,384 bytes", async ({ open }) => {
    const ledger = await open();
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, true]));
    const fits = [
      named("keys", note("", { metadata: keys(64) })),
      named("bytes", note("", { metadata: { k: "x".repeat(16_383) } })),
    ];
    await ledger.append(alice, { operation: "o", records: fits });
    assert.deepEqual((await theRecord(ledger, "text", "keys")).metadata, keys(64));
    const wrong = [keys(65), { k: "x".repeat(16_384) }, { k: "é".repeat(8192) }, { k: ["x".repeat(16_384)] }];
    for (const metadata of wrong) {
      const records = [note("", { metadata })];
      await rejects("invalid_metadata", () => ledger.append(alice, { operation: "p", records }));
    }
  }),

  test("texts of a megabyte read back exactly, in every place", async ({ open }) => {
    const ledger = await open();
    const megabyte = "0123456789abcdefghijklmnopqrstuvwxyz 柏林 👍 é "
      .repeat(20_000)
      .slice(0, 1_000_000)
      .toWellFormed();
    const records = everywhere(megabyte).filter(({ kind }) => kind !== "text");
    await ledger.append(alice, { operation: "o", records: [...records, named("text", note(megabyte))] });
    assert.equal((await theRecord(ledger, "text", "text")).content, megabyte);
    assert.equal((await theRecord(ledger, "message", "message")).content, megabyte);
    assert.deepEqual((await theRecord(ledger, "value", "value")).value, [megabyte, { [megabyte]: megabyte }]);
  }),

  test("a record of 16 MiB is refused, one just below is kept", async ({ open }) => {
    const ledger = await open();
    const limit = 16 * 1024 * 1024;
    const append = (operation: string, content: string) =>
      ledger.append(alice, { operation, records: [named("t", note(content))] });
    await rejects("too_large", () => append("a", "x".repeat(limit)));
    assert.equal(await isThere(ledger, "text", "t"), false);
    const most = "x".repeat(limit - 500);
    await append("c", most);
    assert.ok((await theRecord(ledger, "text", "t")).content === most);
  }),

  test("a job's payload of more than 64 KiB is refused", async ({ open }) => {
    const ledger = await open();
    const append = (length: number) =>
      ledger.append(alice, {
        operation: "o",
        records: [],
        jobs: [{ queue: "q", payload: "x".repeat(length) }],
      });
    await rejects("invalid_record", () => append(65_535));
    await append(65_534);
  }),

  test("two texts that differ in one character are two texts", async ({ open }) => {
    const ledger = await open();
    const pairs = [
      "我喜欢猫",
      "我喜欢狗",
      "He is 5 years old",
      "He is 6 years old",
      "é",
      "e\u0301",
      "a",
      "a ",
    ];
    await ledger.append(alice, {
      operation: "o",
      records: pairs.map((content) => note(content, { contentKey: content })),
    });
    assert.deepEqual(
      (await everyPage(ledger, "text", { index: "byTime" })).map(({ content }) => content),
      pairs,
    );
    for (const contentKey of pairs)
      assert.equal((await everyPage(ledger, "text", { index: "byContent", prefix: [contentKey] })).length, 1);
  }),
]);
