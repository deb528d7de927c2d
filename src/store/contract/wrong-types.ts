import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, get, head, sourcesOf } from "../read.ts";
import type { Kind } from "../schema.ts";
import { alice, canary, each, rejects, rejectsType } from "./expectations.ts";
import { decideAs } from "./plans.ts";
import { fullRecords, message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

/** One of each type, with the canary in those that can hold it. */
const things: readonly unknown[] = [
  ...[undefined, null, true, 0, 1.5, Number.NaN, 10n, "", canary, Symbol(canary)],
  ...[
    [],
    [canary],
    {},
    { [canary]: canary },
    () => canary,
    new Date(0),
    new Map([[canary, canary]]),
    Promise.resolve(),
  ],
];

const argumentCodes = [
  ...["invalid_argument", "invalid_cursor", "invalid_filter", "invalid_id", "invalid_metadata"],
  ...["invalid_record", "invalid_user_id", "erased", "not_found", "lease_lost", "already_exists"],
] as const;

/** Calls with one argument that is wrong whatever it is, unless it is among `fine`. */
const calls: Readonly<
  Record<
    string,
    { readonly fine?: readonly unknown[]; readonly call: (ledger: Ledger, thing: never) => Promise<unknown> }
  >
> = {
  "append's partition": { call: (ledger, thing) => ledger.append(thing, { operation: "o", records: [] }) },
  "append's request": { call: (ledger, thing) => ledger.append(alice, thing) },
  "append's operation": {
    fine: [canary],
    call: (ledger, operation) => ledger.append(alice, { operation, records: [] }),
  },
  "append's records": {
    fine: [things[10]],
    call: (ledger, records) => ledger.append(alice, { operation: "o", records }),
  },
  "append's record": {
    call: (ledger, record) => ledger.append(alice, { operation: "o", records: [record] }),
  },
  "a record's value": {
    call: (ledger, value) => ledger.append(alice, { operation: "o", records: [insert("message", value)] }),
  },
  "a record's kind": {
    call: (ledger, kind) =>
      ledger.append(alice, { operation: "o", records: [insert(kind, note("").value as never)] }),
  },
  "a record's sources": {
    fine: [undefined, things[10]],
    call: (ledger, sources) =>
      ledger.append(alice, { operation: "o", records: [insert("text", note("").value, { sources })] }),
  },
  "a record's source": {
    call: (ledger, source) =>
      ledger.append(alice, {
        operation: "o",
        records: [insert("text", note("").value, { sources: [source] })],
      }),
  },
  "append's jobs": {
    fine: [undefined, things[10]],
    call: (ledger, jobs) => ledger.append(alice, { operation: "o", records: [], jobs }),
  },
  "append's job": {
    call: (ledger, job) => ledger.append(alice, { operation: "o", records: [], jobs: [job] }),
  },
  "append's lease": {
    fine: [undefined],
    call: (ledger, job) => ledger.append(alice, { operation: "o", records: [], job }),
  },
  "update's call": { call: (ledger, thing) => ledger.update(alice, thing) },
  "update's plan": {
    call: (ledger, plan) => ledger.update(alice, { operation: "o", plan, input: {} as never }),
  },
  "a plan's decision": {
    fine: [things[12]],
    call: (ledger, decision) => ledger.update(alice, { operation: "o", plan: decideAs, input: { decision } }),
  },
  "a plan's mutations": {
    fine: [things[10]],
    call: (ledger, mutations) =>
      ledger.update(alice, { operation: "o", plan: decideAs, input: { decision: { mutations } } }),
  },
  "a plan's mutation": {
    call: (ledger, mutation) =>
      ledger.update(alice, {
        operation: "o",
        plan: decideAs,
        input: { decision: { mutations: [mutation] } },
      }),
  },
  "read's partitions": { call: (ledger, partitions) => ledger.read(partitions, [head()]) },
  "read's partition": { call: (ledger, user) => ledger.read([user], [head()]) },
  "read's ops": { fine: [things[10]], call: (ledger, ops) => ledger.read([alice], ops) },
  "read's op": { call: (ledger, op) => ledger.read([alice], [op]) },
  "get's kind": { call: (ledger, kind) => ledger.read([alice], [get(kind, "id")]) },
  "sourcesOf's kind": { call: (ledger, kind) => ledger.read([alice], [sourcesOf(kind, "id")]) },
  "find's index": {
    fine: [undefined],
    call: (ledger, index) => ledger.read([alice], [find("text", { index })]),
  },
  "find's prefix": {
    fine: [undefined, things[10]],
    call: (ledger, prefix) => ledger.read([alice], [find("text", { index: "byTime", prefix })]),
  },
  "find's prefix value": {
    fine: [0],
    call: (ledger, value) => ledger.read([alice], [find("text", { index: "byTime", prefix: [value] })]),
  },
  "find's range": {
    fine: [undefined, things[12]],
    call: (ledger, range) => ledger.read([alice], [find("text", { index: "byTime", range })]),
  },
  "find's bound": {
    fine: [undefined, 0],
    call: (ledger, gt) => ledger.read([alice], [find("text", { index: "byTime", range: { gt } })]),
  },
  "find's filter": {
    fine: [undefined, things[12], things[13]],
    call: (ledger, filter) => ledger.read([alice], [find("text", { filter })]),
  },
  "find's reverse": {
    fine: [undefined, true],
    call: (ledger, reverse) => ledger.read([alice], [find("text", { reverse })]),
  },
  "find's limit": {
    fine: [undefined],
    call: (ledger, limit) => ledger.read([alice], [find("text", { limit })]),
  },
  "find's cursor": {
    fine: [undefined],
    call: (ledger, after) => ledger.read([alice], [find("text", { after })]),
  },
  "partitions' limit": { fine: [undefined], call: (ledger, limit) => ledger.partitions({ limit }) },
  "partitions' cursor": { fine: [undefined], call: (ledger, after) => ledger.partitions({ after }) },
  policy: { fine: [things[12]], call: (ledger, policy) => ledger.setPolicy(alice, policy) },
  "a policy's limit": {
    fine: [undefined, 0],
    call: (ledger, maxRecords) => ledger.setPolicy(alice, { maxRecords }),
  },
  "erase's call": { call: (ledger, thing) => ledger.erase(alice, thing) },
  "erase's refs": {
    fine: [things[10]],
    call: (ledger, refs) => ledger.erase(alice, { operation: "o", refs }),
  },
  "erase's ref": { call: (ledger, ref) => ledger.erase(alice, { operation: "o", refs: [ref] }) },
  "erase's session": {
    fine: [canary],
    call: (ledger, sessionId) => ledger.erase(alice, { operation: "o", sessionId }),
  },
  "erase's everything": {
    fine: [true],
    call: (ledger, everything) => ledger.erase(alice, { operation: "o", everything }),
  },
  "purge's call": { call: (ledger, thing) => ledger.purge(alice, thing) },
  "purge's refs": {
    fine: [things[10]],
    call: (ledger, refs) => ledger.purge(alice, { operation: "o", refs, until: 1 }),
  },
  "purge's ref": { call: (ledger, ref) => ledger.purge(alice, { operation: "o", refs: [ref], until: 1 }) },
  "purge's session": {
    fine: [canary],
    call: (ledger, sessionId) => ledger.purge(alice, { operation: "o", sessionId, until: 1 }),
  },
  "purge's end": {
    fine: [0],
    call: (ledger, until) => ledger.purge(alice, { operation: "o", sessionId: "s", until }),
  },
  "undo's call": { call: (ledger, thing) => ledger.undo(alice, thing) },
  "undo's purge": { call: (ledger, purge) => ledger.undo(alice, { operation: "o", purge }) },
  "purged's ref": { call: (ledger, ref) => ledger.purged(alice, ref) },
  "erasure's id": { fine: [canary], call: (ledger, id) => ledger.erasure(alice, id) },
  "verify's id": { call: (ledger, id) => ledger.verify(alice, id) },
  "the feed's cursor": { fine: [undefined], call: (ledger, after) => ledger.changes.read({ after }) },
  "the feed's limit": { fine: [undefined], call: (ledger, limit) => ledger.changes.read({ limit }) },
  "wait's time-out": { fine: [0, 1.5], call: (ledger, timeout) => ledger.changes.wait({ timeout }) },
  "claim's options": { call: (ledger, thing) => ledger.jobs.claim(thing) },
  "claim's queues": {
    fine: [things[10], things[11]],
    call: (ledger, queues) => ledger.jobs.claim({ queues, leaseFor: 1 }),
  },
  "claim's lease time": { call: (ledger, leaseFor) => ledger.jobs.claim({ queues: ["q"], leaseFor }) },
  "claim's limit": {
    fine: [undefined],
    call: (ledger, limit) => ledger.jobs.claim({ queues: ["q"], leaseFor: 1, limit }),
  },
  "complete's job": { call: (ledger, job) => ledger.jobs.complete(job) },
  "fail's job": { call: (ledger, job) => ledger.jobs.fail(job, { error: "e" }) },
  "extend's job": { call: (ledger, job) => ledger.jobs.extend(job, 1) },
  "list's options": { call: (ledger, thing) => ledger.jobs.list(alice, thing) },
  "list's cursor": {
    fine: [undefined],
    call: (ledger, after) => ledger.jobs.list(alice, { queue: "q", after }),
  },
  "revive's id": { call: (ledger, id) => ledger.jobs.revive(alice, id) },
};

export const wrongTypes = group("wrong types", [
  test("an argument of another type is refused with a code, in every call, and does nothing", async ({
    open,
  }) => {
    const ledger = await open();
    await each(calls, async ({ fine = [], call }) => {
      for (const thing of things) {
        if (fine.includes(thing)) continue;
        await rejects(argumentCodes, () => call(ledger, thing as never), describeThing(thing));
      }
    });
    assert.deepEqual((await ledger.partitions()).partitions, []);
  }),

  test("a property of the wrong type is refused, and its error is a TypeError", async ({ open }) => {
    const ledger = await open();
    for (const [kind, full] of Object.entries(fullRecords)) {
      for (const [property, right] of Object.entries(full)) {
        // Any JSON is right for these.
        if (["value", "toolCalls", "transcript", "metadata"].includes(property)) continue;
        for (const thing of things) {
          if (typeof thing === typeof right || thing === undefined || Array.isArray(right)) continue;
          const records = [insert(kind as Kind, { ...full, [property]: thing } as never)];
          const call = () => ledger.append(alice, { operation: "o", records });
          const codes = ["invalid_record", "invalid_id"] as const;
          const closed = [
            "role",
            "form",
            "status",
            "retiredReason",
            "provenance",
            "ownerKind",
            "feedback",
          ].includes(property);
          await (closed ? rejects : rejectsType)(
            codes,
            call,
            `${kind}.${property} as ${describeThing(thing)}`,
          );
        }
      }
    }
  }),

  test("metadata of another shape is refused", async ({ open }) => {
    const ledger = await open();
    for (const thing of things) {
      const plain =
        typeof thing === "object" && thing !== null && Object.getPrototypeOf(thing) === Object.prototype;
      if (thing === undefined || plain) continue;
      const whole = [note(canary, { metadata: thing as never })];
      await rejects("invalid_metadata", () => ledger.append(alice, { operation: "o", records: whole }));
      if (
        ["string", "boolean"].includes(typeof thing) ||
        thing === 0 ||
        thing === 1.5 ||
        Array.isArray(thing)
      )
        continue;
      const member = [note(canary, { metadata: { key: thing as never } })];
      await rejects("invalid_metadata", () => ledger.append(alice, { operation: "o", records: member }));
    }
    for (const list of [[1], [true], [null], [["a"]], new Array(3)]) {
      const records = [note(canary, { metadata: { key: list as never } })];
      await rejects("invalid_metadata", () => ledger.append(alice, { operation: "o", records }));
    }
  }),

  test("append takes inserts alone", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("before"))] });
    for (const type of ["patch", "remove"]) {
      const records = [{ type, kind: "text", id: "t", value: { content: canary } }] as never;
      await rejectsType("invalid_argument", () => ledger.append(alice, { operation: "p", records }));
    }
  }),

  test("a partition is an object with a userId, which is null or a string, never missing", async ({
    open,
  }) => {
    const ledger = await open();
    const userIds = [undefined, 0, false, {}, [], Symbol("u")];
    for (const userId of userIds as never[]) {
      await rejectsType("invalid_user_id", () => ledger.read([{ namespace: "n", userId }], [head()]));
      await rejectsType("invalid_user_id", () =>
        ledger.append({ namespace: "n", userId }, { operation: "o", records: [message("")] }),
      );
    }
    await rejectsType("invalid_user_id", () => ledger.read([{ namespace: "n" } as never], [head()]));
  }),
]);

function describeThing(thing: unknown): string {
  return typeof thing === "object" && thing !== null ? JSON.stringify(thing) : String(thing);
}
