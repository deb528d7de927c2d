import assert from "node:assert/strict";
import { recordId } from "../../model/ids.ts";
import { type Insert, insert } from "../batch.ts";
import { erase, left, store, withRole } from "./erasing.ts";
import { alice, bob, isThere, kinds, rejects } from "./expectations.ts";
import { apply, findOrInsert } from "./plans.ts";
import {
  block,
  conduit,
  fact,
  fullRecords,
  grain,
  inventory,
  message,
  named,
  note,
  value,
} from "./samples.ts";
import { group, test } from "./suite.ts";

export const erasedIds = group("erasure, ids", [
  test("an erased id is never used again, by whom and in which way ever", async ({ open }) => {
    const ledger = await open();
    const marked = kinds.filter((kind) => kind !== "conduit" && kind !== "trace");
    await store(ledger, inventory());
    await ledger.erase(alice, { operation: "e", refs: marked.map((kind) => ({ kind, id: kind })) });
    for (const kind of marked) {
      const again = kind === "grain" ? grain("message", "bare-message") : fullRecords[kind];
      const records = [named("m", message("m")), { ...insert(kind, again), id: kind }];
      await rejects("erased", () => ledger.append(alice, { operation: `o ${kind}`, records }), kind);
      const mutations = [{ type: "insert", kind, id: kind, value: again }];
      await rejects("erased", () =>
        ledger.update(alice, { operation: `p ${kind}`, plan: apply, input: { mutations } as never }),
      );
      const patches = [{ type: "patch", kind, id: kind, value: {} }];
      await rejects("not_found", () =>
        ledger.update(alice, { operation: `p ${kind}`, plan: apply, input: { mutations: patches } as never }),
      );
    }
    // In another partition, and as another kind, the id was never used.
    await ledger.append(bob, { operation: "o", records: [named("text", note("n"))] });
    await ledger.append(alice, { operation: "another kind", records: [named("message", note("n"))] });
    assert.equal(await isThere(ledger, "text", "message"), true);
    assert.equal(await isThere(ledger, "text", "text"), false);
  }),

  test("what followed from it cannot come back either", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      named("s", note("s"), ["message", "m"]),
      named("n", message("n")),
    ]);
    await erase(ledger, "e", "message m");
    for (const id of ["m", "s"]) {
      const records = [id === "m" ? named(id, message("x")) : named(id, note("x"))];
      await rejects("erased", () => ledger.append(alice, { operation: "o", records }));
    }
    await ledger.append(alice, { operation: "p", records: [named("s2", note("s"), ["message", "n"])] });
  }),

  test("an id that is not there yet is marked all the same, so that late work cannot bring it", async ({
    open,
  }) => {
    const ledger = await open();
    const { counts } = await erase(ledger, "e", "message late", "text late");
    assert.deepEqual(counts, {});
    await rejects("erased", () =>
      ledger.append(alice, { operation: "o", records: [named("late", message("late"))] }),
    );
    await rejects("erased", () =>
      ledger.append(alice, { operation: "o", records: [named("late", note("late"))] }),
    );
    await ledger.append(alice, { operation: "o", records: [named("late", block("late"))] });
  }),

  test("an operation that was under way when the id that it would give was erased does not bring it", async ({
    open,
  }) => {
    const ledger = await open();
    const id = recordId(alice, "under way", 1);
    await erase(ledger, "e", `text ${id}`);
    await rejects("erased", () =>
      ledger.append(alice, { operation: "under way", records: [message("m"), note("n")] }),
    );
    assert.deepEqual(await left(ledger), []);
  }),

  test("late work on something erased is refused, whatever it wants to write", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      named("n", message("n")),
      named("g", insert("grain", grain("message", "n"))),
    ]);
    await erase(ledger, "e", "message m");
    const late: Insert[][] = [
      [named("s", note("s"), ["message", "m"])],
      [named("s", note("s"), ["message", "n"], ["message", "m"])],
      [withRole(named("f", fact("f")), ["message m", "supports"])],
      [insert("grain", grain("message", "m"))],
      [named("h", insert("grain", grain("message", "n"))), insert("conduit", conduit("g", "m"))],
    ];
    for (const records of late)
      await rejects("erased", () => ledger.append(alice, { operation: "o", records }));
    const jobs = [{ queue: "q", sources: [{ kind: "message", id: "m" }] }];
    await rejects("erased", () => ledger.append(alice, { operation: "o", records: [], jobs }));
    const sources = [{ kind: "message", id: "m" }];
    const mutations = [{ type: "patch", kind: "message", id: "n", value: {}, sources }];
    await rejects("erased", () =>
      ledger.update(alice, { operation: "o", plan: apply, input: { mutations } }),
    );
    assert.deepEqual(await left(ledger), ["grain g", "message n"]);
  }),

  test("the same text may be stored anew, under another id", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "k", content: "the same" };
    const first = await ledger.update(alice, { operation: "1", plan: findOrInsert, input });
    await erase(ledger, "e", `text ${first.ids[0]}`);
    const second = await ledger.update(alice, { operation: "2", plan: findOrInsert, input });
    assert.deepEqual(second.result, { id: second.ids[0], inserted: true });
    assert.notEqual(second.ids[0], first.ids[0]);
    await ledger.append(alice, { operation: "3", records: [note("the same"), value("k", "the same")] });
  }),
]);
