import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { derivedFrom, sourcesOf } from "../read.ts";
import { erase, left, store, toDerive, withRole } from "./erasing.ts";
import { alice, headOf, rejects } from "./expectations.ts";
import { apply } from "./plans.ts";
import { fact, grain, message, named, note, value } from "./samples.ts";
import { group, test } from "./suite.ts";

export const erasureGrounds = group("erasure, what goes along", [
  test("a summary that loses one of its sources goes, and is to be derived anew from the others", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      ...["m1", "m2", "m3"].map((id) => named(id, message(id))),
      named("s", note("s", { form: "summary" }), ["message", "m1"], ["message", "m2"], ["message", "m3"]),
      named("top", note("top", { form: "summary" }), ["text", "s"], ["message", "m3"]),
      named("g", insert("grain", grain("text", "s"))),
    ]);
    const { counts } = await erase(ledger, "e", "message m1");
    assert.deepEqual(await left(ledger), ["message m2", "message m3"]);
    assert.deepEqual(counts, { message: 1, text: 2, grain: 1, link: 5 });
    assert.deepEqual(await toDerive(ledger), {
      "text s": ["message m2", "message m3"],
      "text top": ["message m3"],
    });
    // The next erasure takes from the jobs what it took from the records.
    const next = await erase(ledger, "f", "message m3");
    assert.deepEqual(next.counts, { message: 1, job: 1, link: 2 });
    assert.deepEqual(await toDerive(ledger), { "text s": ["message m2"] });
    assert.deepEqual((await erase(ledger, "g", "message m2")).counts, { message: 1, job: 1, link: 1 });
    assert.deepEqual(await toDerive(ledger), {});
  }),

  test("what was asked for by name is not derived anew", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      named("s", note("s"), ["message", "m1"], ["message", "m2"]),
    ]);
    await erase(ledger, "e", "message m1", "text s");
    assert.deepEqual(await toDerive(ledger), {});
    assert.deepEqual(await left(ledger), ["message m2"]);
  }),

  test("what a record rests on no more does not keep it, nor take it along", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      ...["m1", "m2", "m3"].map((id) => named(id, message(id))),
      named("f", fact("Berlin"), ["message", "m1"], ["message", "m2"]),
      named("s", note("s"), ["message", "m1"], ["message", "m3"]),
    ]);
    const dropping = (kind: string, id: string, ...dropped: readonly { kind: string; id: string }[]) =>
      ({ type: "patch", kind, id, value: {}, dropped }) as const;
    const m1 = { kind: "message", id: "m1" };
    const mutations = [
      dropping("fact", "f", m1),
      dropping("text", "s", m1, { kind: "message", id: "nowhere" }),
    ];
    await ledger.update(alice, { operation: "drop", plan: apply, input: { mutations } });
    const [ofFact, ofText, derived] = await ledger.read(
      [alice],
      [sourcesOf("fact", "f"), sourcesOf("text", "s"), derivedFrom("message", "m1")],
    );
    assert.deepEqual(
      [ofFact, ofText].flat().map(({ id }) => id),
      ["m2", "m3"],
    );
    assert.deepEqual(derived, []);
    assert.deepEqual((await erase(ledger, "e", "message m1")).counts, { message: 1 });
    assert.deepEqual(await toDerive(ledger), {});
    await erase(ledger, "f", "message m2");
    assert.deepEqual(await left(ledger), ["message m3", "text s"]);
    const wrong = { ...dropping("text", "s"), dropped: [{ kind: "nothing", id: "m1" }] };
    await rejects("invalid_argument", () =>
      ledger.update(alice, { operation: "w", plan: apply, input: { mutations: [wrong] } }),
    );
  }),

  test("a fact survives while another source states it, and goes with the last", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      ...["m1", "m2", "m3"].map((id) => named(id, message(id))),
      named("f", fact("Berlin"), ["message", "m1"], ["message", "m2"]),
      named("only", fact("Rome"), ["message", "m1"]),
      named("g", insert("grain", grain("fact", "only"))),
      named("stated", fact("Paris")),
    ]);
    const head = await ledger.changes.head();
    const { counts } = await erase(ledger, "e", "message m1");
    assert.deepEqual(counts, { message: 1, fact: 1, grain: 1, link: 2 });
    assert.deepEqual(await left(ledger), ["fact f", "fact stated", "message m2", "message m3"]);
    const [sources] = await ledger.read([alice], [sourcesOf("fact", "f")]);
    assert.deepEqual(sources, [{ kind: "message", id: "m2", role: "source" }]);
    assert.deepEqual(await toDerive(ledger), { "fact f": ["message m2"], "fact only": [] });
    const { jobs } = await ledger.jobs.list(alice, { queue: "derive" });
    // A fact's job names its thread, so that its other versions can be judged anew.
    for (const { payload } of jobs) assert.equal((payload as { thread?: string }).thread, "lives");
    // Followers are told that the survivor's ground changed.
    const { changes } = await ledger.changes.read({ after: head });
    assert.deepEqual(changes.map(({ operation, kind, id }) => `${operation} ${kind} ${id}`).sort(), [
      "delete fact only",
      "delete grain g",
      "delete message m1",
      "update fact f",
    ]);
    await erase(ledger, "f", "message m2");
    assert.deepEqual(await left(ledger), ["fact stated", "message m3"]);
  }),

  test("a fact that rests on a fact goes with it, unless it has ground of its own", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      named("f1", fact("1"), ["message", "m1"]),
      named("f2", fact("2"), ["fact", "f1"]),
      named("f3", fact("3"), ["fact", "f2"], ["message", "m2"]),
      named("f4", fact("4"), ["fact", "f3"], ["fact", "f2"]),
      named("f5", fact("5"), ["fact", "f2"]),
    ]);
    const { counts } = await erase(ledger, "e", "message m1");
    assert.deepEqual(await left(ledger), ["fact f3", "fact f4", "message m2"]);
    assert.deepEqual(counts, { message: 1, fact: 3, link: 5 });
    const derive = await toDerive(ledger);
    assert.deepEqual(derive, {
      "fact f1": [],
      "fact f2": [],
      "fact f3": ["message m2"],
      "fact f4": ["fact f3"],
      "fact f5": [],
    });
  }),

  test("facts that rest on each other alone have no ground", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("m", message("m")),
      named("f1", fact("1"), ["message", "m"], ["fact", "f3"]),
      named("f2", fact("2"), ["fact", "f1"]),
      named("f3", fact("3"), ["fact", "f2"]),
      named("n", message("n")),
      named("h1", fact("1"), ["message", "m"], ["fact", "h2"]),
      named("h2", fact("2"), ["fact", "h1"], ["message", "n"]),
    ];
    await store(ledger, records);
    const { counts } = await erase(ledger, "e", "message m");
    assert.deepEqual(counts, { message: 1, fact: 3, link: 5 });
    assert.deepEqual(await left(ledger), ["fact h1", "fact h2", "message n"]);
    await erase(ledger, "f", "message n");
    assert.deepEqual(await left(ledger), []);
  }),

  test("diamonds and cycles of texts go once and whole", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      named("left", note("l"), ["message", "m"]),
      named("right", note("r"), ["message", "m"]),
      named("bottom", note("b"), ["text", "left"], ["text", "right"]),
      named("loop", note("l"), ["text", "bottom"], ["text", "back"]),
      named("back", note("b"), ["text", "loop"]),
    ]);
    const { counts } = await erase(ledger, "e", "message m");
    assert.deepEqual(counts, { message: 1, text: 5, link: 7 });
    assert.deepEqual(await left(ledger), []);
    assert.deepEqual(await toDerive(ledger), {});
  }),

  test("a long chain goes to its end", async ({ open }) => {
    const ledger = await open();
    const chain = Array.from({ length: 600 }, (_, i) =>
      i === 0 ? named("t0", note("0")) : named(`t${i}`, note(String(i)), ["text", `t${i - 1}`]),
    );
    await store(ledger, chain);
    const { counts } = await erase(ledger, "e", "text t3");
    assert.deepEqual(counts, { text: 597, link: 597 });
    assert.deepEqual(await left(ledger), ["text t0", "text t1", "text t2"]);
  }),

  test("thousands of records that rest on one go with it", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      ...Array.from({ length: 1500 }, (_, i) => named(`t${i}`, note(""), ["message", "m"])),
    ]);
    const { counts } = await erase(ledger, "e", "message m");
    assert.deepEqual(counts, { message: 1, text: 1500, link: 1500 });
    assert.equal((await headOf(ledger)).records, 0);
  }),

  test("a source that only supported or closed leaves the record, which is to be derived anew", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      ...["m1", "m2", "m3"].map((id) => named(id, message(id))),
      withRole(
        named("f", fact("Berlin")),
        ["message m1", "source"],
        ["message m2", "supports"],
        ["message m3", "closed"],
      ),
      withRole(named("s", note("s")), ["message m1", "source"], ["message m2", "supports"]),
      withRole(named("only", fact("Rome")), ["message m3", "closed"]),
    ]);
    const { counts } = await erase(ledger, "e", "message m3");
    assert.deepEqual(counts, { message: 1, link: 2 });
    assert.deepEqual(await toDerive(ledger), { "fact f": ["message m1", "message m2"], "fact only": [] });
    await erase(ledger, "f", "message m2");
    assert.deepEqual(await left(ledger), ["fact f", "fact only", "message m1", "text s"]);
    const [ofFact, ofText, ofOnly] = await ledger.read(
      [alice],
      [sourcesOf("fact", "f"), sourcesOf("text", "s"), sourcesOf("fact", "only")],
    );
    assert.deepEqual(ofFact, [{ kind: "message", id: "m1", role: "source" }]);
    assert.deepEqual([ofText, ofOnly], [ofFact, []]);
    await erase(ledger, "g", "message m1");
    assert.deepEqual(await left(ledger), ["fact only"]);
  }),

  test("a job to derive anew stays while any of its sources is left, whatever its role, and no longer", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      ...["m1", "m2", "m3"].map((id) => named(id, message(id))),
      withRole(
        named("s", note("s")),
        ["message m1", "source"],
        ["message m2", "supports"],
        ["message m3", "source"],
      ),
    ]);
    await erase(ledger, "e", "message m1");
    assert.deepEqual(await toDerive(ledger), { "text s": ["message m2", "message m3"] });
    assert.deepEqual((await erase(ledger, "f", "message m3")).counts, { message: 1, link: 1 });
    assert.deepEqual(await toDerive(ledger), { "text s": ["message m2"] });
    assert.deepEqual((await erase(ledger, "g", "message m2")).counts, { message: 1, job: 1, link: 1 });
    assert.deepEqual(await toDerive(ledger), {});
  }),

  test("one source in two roles is lost in both", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      withRole(
        named("f", fact("x")),
        ["message m1", "source"],
        ["message m1", "supports"],
        ["message m2", "supports"],
      ),
    ]);
    const { counts } = await erase(ledger, "e", "message m1");
    assert.deepEqual(counts, { message: 1, fact: 1, link: 3 });
  }),

  test("a source that a patch added is followed like any other", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      named("s", note("s"), ["message", "m1"]),
    ]);
    const mutations = [
      {
        type: "patch",
        kind: "text",
        id: "s",
        value: { content: "more" },
        sources: [{ kind: "message", id: "m2" }],
      },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } });
    await erase(ledger, "e", "message m2");
    assert.deepEqual(await left(ledger), ["message m1"]);
    assert.deepEqual(await toDerive(ledger), { "text s": ["message m1"] });
  }),

  test("a record that was removed on its own has nothing left to follow", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m")), named("v", value("k", 1), ["message", "m"])]);
    const mutations = [{ type: "remove", kind: "value", id: "v" }];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } });
    const [derived] = await ledger.read([alice], [derivedFrom("message", "m")]);
    assert.deepEqual(derived, []);
    assert.deepEqual((await erase(ledger, "e", "message m")).counts, { message: 1 });
  }),

  test("what others were derived from is not removed but erased", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("v", value("k", 1)), named("s", note("s"), ["value", "v"])]);
    const mutations = [{ type: "remove", kind: "value", id: "v" }];
    await rejects("invalid_argument", () =>
      ledger.update(alice, { operation: "p", plan: apply, input: { mutations } }),
    );
    assert.deepEqual((await erase(ledger, "e", "value v")).counts, { value: 1, text: 1, link: 1 });
  }),
]);
