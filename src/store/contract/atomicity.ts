import assert from "node:assert/strict";
import type { ErrorCode } from "../../model/errors.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { head, sourcesOf } from "../read.ts";
import {
  alice,
  assertUntouched,
  canary,
  each,
  everything,
  headOf,
  isThere,
  rejects,
  theRecord,
} from "./expectations.ts";
import { answer, apply, refuse, wire } from "./plans.ts";
import { block, conduit, grain, message, named, note, value } from "./samples.ts";
import { group, test } from "./suite.ts";

const good = [message(canary), note(canary), block("b", canary), value("k", canary)];

/** What is wrong with one member of a batch, and the code that says so. */
const bad: Readonly<Record<string, readonly [ErrorCode, Insert]>> = {
  "a role that does not exist": ["invalid_record", message(canary, { role: canary as never })],
  "an id of 513 bytes": ["invalid_id", named("x".repeat(513), note(canary))],
  "an id taken in the same batch": ["already_exists", named("twice", note(canary))],
  "a unique key taken in the same batch": ["already_exists", block("b", canary)],
  "a source that is not there": ["erased", named("n", note(canary), ["message", "nowhere"])],
  "a grain whose owner is not there": ["erased", insert("grain", grain("message", "nowhere"))],
  "a conduit whose ends are not there": ["erased", insert("conduit", conduit("nowhere", "nowhere"))],
  "metadata that is not flat": ["invalid_metadata", note(canary, { metadata: { a: { b: 1 } } as never })],
};

/** Writes what is there before the call that fails, and returns everything that must be the same after it. */
async function stateBefore(ledger: Ledger): Promise<() => Promise<void>> {
  await ledger.append(alice, { operation: "before", records: [named("kept", note("kept")), block("kept")] });
  const state = async (): Promise<unknown> => [
    await everything(ledger),
    await ledger.read([alice], [head()]),
    (await ledger.changes.read()).changes,
    await ledger.jobs.list(alice, { queue: "q" }),
  ];
  const before = await state();
  return async () => assert.deepEqual(await state(), before);
}

export const atomicity = group("atomicity", [
  test("a batch is there whole, with one receipt", async ({ open }) => {
    const ledger = await open();
    const receipt = await ledger.append(alice, { operation: "o", records: good, jobs: [{ queue: "q" }] });
    assert.equal(receipt.ids.length, good.length);
    assert.equal(new Set(receipt.ids).size, good.length);
    for (const [i, { kind }] of good.entries())
      assert.ok(await isThere(ledger, kind, receipt.ids[i] as string));
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs.length, 1);
    assert.deepEqual(
      { ...receipt, ids: [], recordedAt: 0 },
      {
        ...{ operation: "o", replayed: false, compared: true, seq: good.length + 1, recordedAt: 0 },
        ...{ ids: [], repaired: [], result: undefined },
      },
    );
    assert.equal((await headOf(ledger)).seq, receipt.seq);
  }),

  test("a batch with one bad member leaves nothing", async ({ open }) => {
    const ledger = await open();
    await each(bad, async ([code, member], name) => {
      const user = { namespace: "default", userId: name };
      const records = [named("twice", note("first")), ...good, member];
      await rejects(code, () => ledger.append(user, { operation: "o", records, jobs: [{ queue: "q" }] }));
      await assertUntouched(ledger, user);
    });
    assert.deepEqual((await ledger.changes.read()).changes, []);
    assert.deepEqual((await ledger.partitions()).partitions, []);
    // The operations left no receipt, so that they can be repeated as they should have been.
    for (const userId of Object.keys(bad)) {
      const receipt = await ledger.append(
        { namespace: "default", userId },
        { operation: "o", records: good },
      );
      assert.equal(receipt.replayed, false);
    }
  }),

  test("a batch with a bad job leaves nothing", async ({ open }) => {
    const ledger = await open();
    const unchanged = await stateBefore(ledger);
    for (const job of [{ queue: "" }, { queue: "q", sources: [{ kind: "text", id: "nowhere" }] }]) {
      const codes = ["invalid_id", "erased"] as const;
      await rejects(codes, () => ledger.append(alice, { operation: "o", records: good, jobs: [job] }));
    }
    await unchanged();
  }),

  test("a unique key that another commit took leaves nothing of the batch", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: [value("k", 1), block("b")] });
    const unchanged = await stateBefore(ledger);
    for (const taken of [value("k", 2), block("b", canary)]) {
      const records = [note(canary), taken, note(canary)];
      await rejects("already_exists", () => ledger.append(alice, { operation: "2", records }));
    }
    await unchanged();
  }),

  test("a plan that throws leaves nothing, and its error comes through", async ({ open }) => {
    const ledger = await open();
    const unchanged = await stateBefore(ledger);
    const call = { operation: "o", plan: refuse, input: { id: "c" } };
    await assert.rejects(
      ledger.update(alice, call),
      (error) => error instanceof Error && error.message.includes("The plan refuses"),
    );
    const input = { id: "c", code: "quota_exceeded" };
    const error = await rejects("quota_exceeded", () => ledger.update(alice, { ...call, input }));
    assert.deepEqual([error.hint, error.retryable], ["Ask for less.", true]);
    await unchanged();
  }),

  test("a plan whose last mutation is bad leaves nothing", async ({ open }) => {
    const ledger = await open();
    const unchanged = await stateBefore(ledger);
    const insertion = { type: "insert", kind: "block", value: { name: "b", content: "", position: 0 } };
    const last: Readonly<Record<string, readonly [ErrorCode, object]>> = {
      "patches what is not there": ["not_found", { type: "patch", kind: "text", id: "no", value: {} }],
      "removes what is not there": ["not_found", { type: "remove", kind: "block", id: "no" }],
      "removes a kind that can only be erased": [
        "invalid_argument",
        { type: "remove", kind: "text", id: "kept" },
      ],
      "patches what is fixed": [
        "invalid_record",
        { type: "patch", kind: "text", id: "kept", value: { form: "x" } },
      ],
      "takes away what must be there": [
        "invalid_record",
        { type: "patch", kind: "text", id: "kept", removed: ["content"] },
      ],
      "takes a unique key": ["already_exists", insertion],
    };
    for (const [name, [code, mutation]] of Object.entries(last)) {
      const mutations = [
        { type: "patch", kind: "text", id: "kept", value: { content: canary } },
        insertion,
        mutation,
      ] as never[];
      await rejects(
        code,
        () => ledger.update(alice, { operation: "o", plan: apply, input: { mutations } }),
        name,
      );
    }
    await unchanged();
    assert.equal((await theRecord(ledger, "text", "kept")).content, "kept");
  }),

  test("a plan's result over 131,072 bytes leaves nothing; one of 131,072 is kept", async ({ open }) => {
    const ledger = await open();
    const unchanged = await stateBefore(ledger);
    // Two of the bytes are the quotes.
    const call = (length: number) => ({ operation: "o", plan: answer, input: { length } });
    await rejects("too_large", () => ledger.update(alice, call(131_071)));
    await unchanged();
    const { result } = await ledger.update(alice, call(131_070));
    assert.equal(result?.length, 131_070);
  }),

  test("a batch may refer to its own records, whatever their order", async ({ open }) => {
    const ledger = await open();
    const records = [
      insert("conduit", conduit("g1", "g2"), { id: "c" }),
      insert("grain", grain("text", "t"), { id: "g1" }),
      insert("grain", grain("message", "m"), { id: "g2" }),
      named("t", note("derived"), ["message", "m"]),
      named("m", message("said")),
    ];
    await ledger.append(alice, {
      operation: "o",
      records,
      jobs: [{ queue: "q", sources: [{ kind: "message", id: "m" }] }],
    });
    const [sources] = await ledger.read([alice], [sourcesOf("text", "t")]);
    assert.deepEqual(sources, [{ kind: "message", id: "m", role: "source" }]);
  }),

  test("a plan may refer to the ids that its inserts will have", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "m", records: [named("m", message("ab"))] });
    const { ids, result } = await ledger.update(alice, {
      operation: "o",
      plan: wire,
      input: { message: "m" },
    });
    assert.deepEqual(result, ids);
    const made = await theRecord(ledger, "conduit", ids[2] as string);
    assert.deepEqual([made.fromId, made.toId], ids.slice(0, 2));
  }),

  test("what is removed and inserted anew in one batch takes the unique key over", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: [named("old", value("k", "old"))] });
    const content = { agentId: "agent", scope: "scope", key: "k", value: "new" };
    const mutations = [
      { type: "insert", kind: "value", id: "new", value: content },
      { type: "remove", kind: "value", id: "old" },
    ];
    await ledger.update(alice, { operation: "2", plan: apply, input: { mutations } });
    assert.equal(await isThere(ledger, "value", "old"), false);
    assert.equal((await theRecord(ledger, "value", "new")).value, "new");
    assert.equal((await headOf(ledger)).records, 1);
  }),
]);
