import assert from "node:assert/strict";
import { hostileTexts } from "../support/hostile-texts.ts";
import { found, probe, refused, textsOf } from "./probe.ts";

/** A sentence, and a question about it, in scripts of the world. */
const scripts = [
  ["Ann keeps her bicycle in the cellar", "Where is the bicycle?"],
  ["Der Schlüssel liegt unter der Fußmatte", "Wo ist der Schlüssel?"],
  ["Кошка спит на кухне", "Где спит кошка?"],
  ["Το πλοίο φεύγει το πρωί", "Πότε φεύγει το πλοίο;"],
  ["القطة تنام في المطبخ", "أين تنام القطة"],
  ["החתול ישן במטבח", "איפה ישן החתול"],
  ["बिल्ली रसोई में सोती है", "बिल्ली कहाँ सोती है"],
  ["แมวนอนอยู่ในครัว", "แมวนอนที่ไหน"],
  ["我每天早上喝绿茶", "早上喝什么茶"],
  ["私は毎朝緑茶を飲みます", "毎朝何を飲みますか"],
  ["나는 매일 아침 녹차를 마신다", "아침 녹차"],
  ["Katten sover på köksbänken", "Var sover katten?"],
] as const;

const wellFormed = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Complaints 63 to 76: texts that were lost, cut in the wrong place, or not found. */
export const textProbes = [
  probe(
    "#63 #64 #69 #70 texts are found in their own script, and kept in their own words",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      await memory.storeBatch(scripts.map(([text]) => ({ text })));
      for (const [text, query] of scripts) assert.equal((await found(memory, query))[0], text, query);
      assert.deepEqual(
        await textsOf(memory),
        scripts.map(([text]) => text),
      );
    },
  ),

  probe(
    "#65 #67 a lone surrogate and a NUL are replaced and told of, and lose nothing else",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      for (const [broken, repaired] of [
        ["The lighthouse \ud800 stands in the north", "The lighthouse \ufffd stands in the north"],
        ["The windmill\0 stands in the south", "The windmill\ufffd stands in the south"],
      ] as const) {
        const { id } = await memory.store(broken);
        const record = await memory.get(id);
        assert.deepEqual([record?.text, record?.repaired], [repaired, true]);
        assert.equal((await found(memory, "What stands there?")).includes(repaired), true);
      }
      for (const id of ["a\0b", "\ud800", "x".repeat(513)]) {
        await refused(() => memory.get(id), "invalid_id");
        await refused(async () => (await face.open({ namespace, userId: id })).list(), "invalid_user_id");
      }
    },
  ),

  probe("#66 no cut splits a character", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const text = `Party ${"👩‍👩‍👧‍👦🎉🇩🇪é👍🏽".repeat(12)} tonight`;
    await memory.store(text);
    const long = `Parade ${"🎉🇩🇪👩‍👩‍👧‍👦".repeat(400)} tomorrow`;
    const { grainIds } = await memory.store(long);
    assert.ok(grainIds.length > 1);
    for (let maxTokens = 1; maxTokens <= 150; maxTokens += 1)
      for (const cut of await found(memory, "Party tonight", { maxTokens, k: 3 })) assert.ok(wellFormed(cut));
    for (const piece of await found(memory, "Parade tomorrow 🎉", { k: 20 })) assert.ok(wellFormed(piece));
    assert.deepEqual(await textsOf(memory), [text, long]);
  }),

  probe("#68 #116 queries may hold any operator, quote or nothing at all", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    await memory.store("The bridge over the river is closed");
    const operators = [
      "`",
      "|",
      "/",
      '"',
      "'",
      "(",
      ")",
      "*",
      "^",
      ":",
      "-",
      "+",
      "~",
      "AND",
      "OR NOT",
      "NEAR(a b)",
    ];
    const whole = [
      "the and of",
      '"unclosed',
      "'; drop table grain; --",
      "\\",
      "%",
      "$1",
      "{}",
      "<script>",
      "@@",
      "&&",
    ];
    for (const query of [...operators, ...whole, ...hostileTexts.filter((text) => text.length < 10_000)]) {
      await memory.recall(query);
      const [first] = await found(memory, `${query} bridge ${query}`);
      assert.equal(first, "The bridge over the river is closed", query);
    }
    assert.equal((await textsOf(memory)).length, 1);
  }),

  probe(
    "#71 200 kilobytes without a space are kept whole, and hinder nothing else",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      for (const text of ["x".repeat(200_000), "茶".repeat(66_000)]) {
        const { id } = await memory.store(text);
        assert.equal((await memory.get(id))?.text, text);
      }
      await memory.store("The bridge is closed");
      assert.equal((await found(memory, "Is the bridge closed?"))[0], "The bridge is closed");
    },
  ),

  probe(
    "#72 #73 one message of 500 kilobytes is kept, and what it says in the middle is found",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
      const filler = "Nothing happened on that day, and nobody came to see us. ";
      const half = filler.repeat(Math.ceil(250_000 / filler.length));
      const content = `${half}The password of the boathouse is heron. ${half}`;
      const [said] = await memory.storeBatch([{ role: "user", content }]);
      assert.equal((await memory.get(said?.id ?? ""))?.text, content);
      const [first = ""] = await found(memory, "What is the password of the boathouse?");
      assert.match(first, /password of the boathouse is heron/);
    },
  ),

  probe(
    "#74 conditions of the wrong type are refused, not read letter by letter",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      await memory.store("one", { metadata: { tag: "a", n: 1 } });
      const wrong = [
        { tag: { in: "abc" } },
        { tag: { contains: ["a"] } },
        { n: { gt: null } },
        { tag: { like: "a" } },
      ];
      for (const filter of wrong) {
        await refused(() => memory.recall("one", { where: { filter: filter as never } }), "invalid_filter");
        await refused(() => memory.list({ filter: filter as never }), "invalid_filter");
      }
    },
  ),

  probe("#75 keys of metadata stay as they were written", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const metadata = {
      snake_key: "a",
      camelKey: "b",
      PascalKey: 1,
      "kebab-key": true,
      ключ: ["x"],
      "a.b": "c",
      said_at: 5,
    };
    const { id } = await memory.store("tagged", { metadata });
    assert.deepEqual((await memory.get(id))?.metadata, metadata);
    const { hits } = await memory.recall("tagged", { where: { filter: { camelKey: "b", snake_key: "a" } } });
    assert.deepEqual(hits[0]?.metadata, metadata);
    assert.equal((await memory.list({ filter: { said_at: { gte: 5 } } })).items.length, 1);
  }),

  probe("#76 a number is no id, and the digits of one are", async (face, namespace) => {
    await refused(
      async () => (await face.open({ namespace, userId: 42 as never })).list(),
      "invalid_user_id",
      "invalid_argument",
    );
    const memory = await face.open({ namespace, userId: "42", sessionId: "7" });
    await memory.storeBatch([{ role: "user", content: "The answer" }]);
    assert.deepEqual(await textsOf(memory), ["The answer"]);
    await refused(() => memory.get(42 as never), "invalid_id", "invalid_argument", "not_found");
  }),

  probe("texts that break careless code are kept word for word", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const texts = hostileTexts.filter((text) => text.trim() !== "" && wellFormed(text));
    await memory.storeBatch(texts.map((text) => ({ text })));
    assert.deepEqual(await textsOf(memory), texts);
    for (const empty of ["", " ", "\n\t"]) await refused(() => memory.store(empty), "invalid_argument");
  }),
];
