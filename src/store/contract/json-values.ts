import assert from "node:assert/strict";
import type { Json } from "../../model/json.ts";
import { insert } from "../batch.ts";
import { alice, canary, each, rejects, theRecord } from "./expectations.ts";
import { apply } from "./plans.ts";
import { bareRecords, message, named, note, past, value } from "./samples.ts";
import { group, test } from "./suite.ts";

function nested(levels: number, innermost: Json = "deep"): Json {
  let json = innermost;
  for (let i = 0; i < levels; i++) json = i % 2 === 0 ? [json] : { a: json };
  return json;
}

const values: Readonly<Record<string, Json>> = {
  "the largest and smallest numbers": [
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    -(2 ** 53),
    0.1,
    1 / 3,
    1e21,
    123456789.125,
  ],
  "strings that look like others": [
    "null",
    "true",
    "1",
    "",
    " ",
    "\u2028\u2029",
    "\\u0000",
    "'\"`\\",
    "%s",
    "{}",
  ],
  "keys that are special to objects": JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3,"length":4,"then":5}',
  ),
  "keys of every script": {
    ключ: 1,
    鍵: 2,
    مفتاح: 3,
    "🔑": 4,
    é: 5,
    "e\u0301": 6,
    "": 7,
    " ": 8,
    "a.b": 9,
    "a[0]": 10,
  },
  "keys in an order of their own": { z: 1, a: 2, m: 3, "10": 4, "9": 5 },
  "nothing in every form": [null, [], {}, "", 0, false, [null], { a: null }],
  "64 levels": nested(64),
};

/** What is not JSON, with the canary in it where something can hold it. */
const refused: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  "undefined in an object": { [canary]: undefined },
  "a hole in a list": new Array(3),
  NaN: Number.NaN,
  infinity: [Number.POSITIVE_INFINITY],
  "a bigint": 1n,
  "a symbol": Symbol(canary),
  "a function": () => canary,
  "a date": new Date(),
  "a map": new Map([[canary, canary]]),
  "a buffer": new Uint8Array(2),
  "an object of a class": new (class Secret {
    secret = canary;
  })(),
  "an object that says what it is as JSON": { toJSON: () => canary },
  "65 levels": nested(65, canary),
};

export const jsonValues = group("JSON values", [
  test("values of every shape read back exactly, with their keys in order", async ({ open }) => {
    const ledger = await open();
    await each(values, async (json, name) => {
      const user = { namespace: "default", userId: name };
      const records = [
        named("v", value("k", json)),
        named("e", insert("episode", { ...bareRecords.episode, transcript: json })),
      ];
      await ledger.append(user, { operation: "o", records, jobs: [{ queue: "q", payload: json }] });
      const stored = (await theRecord(ledger, "value", "v", user)).value;
      assert.deepEqual(stored, json);
      assert.equal(JSON.stringify(stored), JSON.stringify(json));
      assert.deepEqual((await theRecord(ledger, "episode", "e", user)).transcript, json);
      assert.deepEqual((await ledger.jobs.list(user, { queue: "q" })).jobs[0]?.payload, json);
      assert.equal(Reflect.get({}, "polluted"), undefined);
    });
  }),

  test("what is not JSON is refused as a value, wherever one is wanted", async ({ open }) => {
    const ledger = await open();
    await each(refused, async (json) => {
      const request = { operation: "o", records: [] };
      const calls = {
        value: () => ledger.append(alice, { ...request, records: [value("k", json as never)] }),
        toolCalls: () =>
          ledger.append(alice, { ...request, records: [message("", { toolCalls: [json] as never })] }),
        payload: () => ledger.append(alice, { ...request, jobs: [{ queue: "q", payload: [json] as never }] }),
        input: () =>
          ledger.update(alice, { operation: "o", plan: apply, input: { mutations: [json] as never } }),
      };
      for (const [place, call] of Object.entries(calls))
        await rejects(["invalid_record", "invalid_argument"], call, place);
    });
    assert.deepEqual((await ledger.partitions()).partitions, []);
  }),

  test("a value that refers to itself is refused", async ({ open }) => {
    const ledger = await open();
    const circle: unknown[] = [canary];
    circle.push({ circle });
    await rejects("invalid_record", () =>
      ledger.append(alice, { operation: "o", records: [value("k", circle as never)] }),
    );
  }),

  test("minus zero is stored as zero, wherever it is", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("v", value("k", [-0, { a: -0 }])),
      named("t", note("", { statedAt: -0, metadata: { zero: -0 } })),
      named(
        "f",
        insert("fact", { ...bareRecords.fact, confidence: -0, validFrom: { at: -0, precision: "day" } }),
      ),
      named("b", insert("block", { ...bareRecords.block, position: -0 })),
      named("m", message("m")),
      named("g", insert("grain", { ...bareRecords.grain, ownerId: "m", importance: -0, start: -0, end: -0 })),
      named("h", insert("grain", { ...bareRecords.grain, ownerId: "m" })),
      named(
        "c",
        insert("conduit", {
          ...bareRecords.conduit,
          fromId: "g",
          toId: "h",
          weight: -0,
          useCount: -0,
          lastUsedAt: -0,
        }),
      ),
      named("r", insert("trace", { query: "", hits: [{ grainId: "g", score: -0 }] })),
    ];
    await ledger.append(alice, { operation: "o", records });
    const zeros = (json: unknown): void => {
      if (typeof json === "number") assert.ok(!Object.is(json, -0));
      else if (typeof json === "object" && json !== null) Object.values(json).forEach(zeros);
    };
    for (const { kind, id } of records) zeros(await theRecord(ledger, kind, id as string));
  }),

  test("times from the first to the last moment that a Date can hold", async ({ open }) => {
    const ledger = await open();
    const moments = [-8.64e15, -1, 0, past, 8.64e15];
    const records = moments.map((statedAt, i) => named(`t${i}`, note("", { statedAt })));
    await ledger.append(alice, { operation: "o", records });
    for (const [i, moment] of moments.entries())
      assert.equal((await theRecord(ledger, "text", `t${i}`)).statedAt, moment);
    for (const statedAt of [
      8.64e15 + 1,
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "2026-01-01",
      new Date(0),
    ]) {
      const wrong = [note(canary, { statedAt: statedAt as never })];
      await rejects("invalid_record", () => ledger.append(alice, { operation: "p", records: wrong }));
    }
  }),

  test("weights keep every bit", async ({ open }) => {
    const ledger = await open();
    const numbers = [0, 1, 0.1 + 0.2, 1 / 3, Number.MIN_VALUE, Number.EPSILON, 1 - Number.EPSILON / 2];
    const records = numbers.map((confidence, i) =>
      named(`f${i}`, insert("fact", { ...bareRecords.fact, confidence })),
    );
    await ledger.append(alice, { operation: "o", records });
    for (const [i, number] of numbers.entries())
      assert.equal((await theRecord(ledger, "fact", `f${i}`)).confidence, number);
    for (const confidence of [-Number.MIN_VALUE, 1 + Number.EPSILON, Number.NaN]) {
      const wrong = [insert("fact", { ...bareRecords.fact, confidence })];
      await rejects("invalid_record", () => ledger.append(alice, { operation: "p", records: wrong }));
    }
  }),
]);
