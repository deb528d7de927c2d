import assert from "node:assert/strict";
import { recordId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { Partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { derivedFrom, sourcesOf } from "../read.ts";
import {
  alice,
  bob,
  everyPage,
  everything,
  headOf,
  isThere,
  kinds,
  rejects,
  theRecord,
} from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply, findOrInsert } from "./plans.ts";
import {
  bareRecords,
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
import { durableTest, group, processTest, test } from "./suite.ts";
import { erase as eraseTask } from "./tasks.ts";

async function store(ledger: Ledger, records: readonly Insert[], user: Partition = alice): Promise<void> {
  await ledger.append(user, { operation: "stored", records });
}

/** Erases records given as "kind id". */
function erase(ledger: Ledger, operation: string, ...names: string[]): ReturnType<Ledger["erase"]> {
  return ledger.erase(alice, { operation, refs: names.map(toRef) });
}

function toRef(name: string): { kind: string; id: string } {
  const [kind = "", id = ""] = name.split(" ");
  return { kind, id };
}

/** What is left, as "kind id", by kind and then id. */
async function left(ledger: Ledger): Promise<string[]> {
  const found = Object.entries(await everything(ledger));
  return found.flatMap(([kind, records]) => records.map(({ id }) => `${kind} ${id}`)).sort();
}

/** The jobs that derive anew what lost a source: what, and from which. */
async function toDerive(ledger: Ledger): Promise<Record<string, string[]>> {
  const { jobs } = await ledger.jobs.list(alice, { queue: "derive" });
  const found = new Map<string, string[]>();
  for (const { id, payload } of jobs) {
    const [sources] = await ledger.read([alice], [sourcesOf("job", id)]);
    const { kind, id: lost } = payload as { kind: string; id: string };
    found.set(`${kind} ${lost}`, sources.map((source) => `${source.kind} ${source.id}`).sort());
  }
  return Object.fromEntries([...found].sort());
}

const withRole = (insertion: Insert, ...sources: (readonly [string, string])[]): Insert => ({
  ...insertion,
  sources: sources.map(([name, role]) => ({ ...toRef(name), role })),
});

export const erasure = group("erasure", [
  test("what was erased is gone at once, with everything that follows from it; the rest stays", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      named("other", message("other")),
      named("summary", note("s", { form: "summary" }), ["message", "m"]),
      named("abstraction", note("a", { form: "abstraction" }), ["text", "summary"]),
      named("episode", insert("episode", bareRecords.episode), ["message", "m"]),
      named("value", value("k", 1), ["text", "abstraction"]),
      named("block", block("b"), ["episode", "episode"]),
      named("g-m", insert("grain", grain("message", "m"))),
      named("g-a", insert("grain", grain("text", "abstraction"))),
      named("g-other", insert("grain", grain("message", "other"))),
      named("in", insert("conduit", conduit("g-other", "g-m"))),
      named("out", insert("conduit", conduit("g-a", "g-other"))),
      named("self", insert("conduit", conduit("g-other", "g-other"))),
      named("trace", insert("trace", { query: "q", hits: [{ grainId: "g-m", score: 1 }] })),
    ]);
    const receipt = await erase(ledger, "e", "message m");
    assert.deepEqual(await left(ledger), ["conduit self", "grain g-other", "message other"]);
    assert.deepEqual(receipt.counts, {
      ...{ message: 1, text: 2, episode: 1, value: 1, block: 1, grain: 2, conduit: 2, trace: 1 },
      link: 5,
    });
    const { records, seq, generation } = await headOf(ledger);
    assert.deepEqual([records, seq, generation], [3, receipt.seq, 1]);
    assert.deepEqual(await toDerive(ledger), {});
  }),

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
    // In another partition, and as another kind, the id is as good as any.
    await ledger.append(bob, { operation: "o", records: [named("text", note("n"))] });
    assert.equal(await isThere(ledger, "text", "m"), false);
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

  test("a session goes with every kind that carries its label, and what follows from them", async ({
    open,
  }) => {
    const ledger = await open();
    const other = inventory().map(({ kind, value, id }) => {
      const content: Record<string, unknown> = { ...value };
      if ("sessionId" in content) content.sessionId = "s-other";
      for (const key of ["ownerId", "fromId", "toId"]) if (key in content) content[key] = `o-${content[key]}`;
      for (const key of ["name", "key"]) if (key in content) content[key] = `o-${content[key]}`;
      return { ...insert(kind, content as never), id: `o-${id}` } as Insert;
    });
    await store(ledger, [
      ...inventory(),
      ...other,
      named("s", note("summary of all"), ["episode", "episode"], ["message", "bare-message"]),
    ]);
    const { counts } = await ledger.erase(alice, { operation: "e", sessionId: "s-1" });
    // All traces go with any erasure; those of the other session as well.
    assert.deepEqual(counts, {
      message: 1,
      episode: 1,
      text: 2,
      grain: 3,
      fact: 1,
      conduit: 2,
      trace: 4,
      link: 2,
    });
    assert.deepEqual(
      await left(ledger),
      [
        ...[
          "block bare-block",
          "block block",
          "episode bare-episode",
          "fact bare-fact",
          "message bare-message",
        ],
        ...["text bare-text", "value bare-value", "value value"],
        ...other.filter(({ kind }) => kind !== "trace").map(({ kind, id }) => `${kind} ${id}`),
      ].sort(),
    );
    assert.deepEqual(await toDerive(ledger), { "text s": ["message bare-message"] });
    await rejects("erased", () =>
      ledger.append(alice, { operation: "o", records: [named("fact", fact("x"))] }),
    );
  }),

  test("an empty session, or an empty list, is erased without effect but with a receipt", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const one = await ledger.erase(alice, { operation: "e", sessionId: "nowhere" });
    const other = await ledger.erase(alice, { operation: "f", refs: [] });
    assert.deepEqual([one.counts, other.counts], [{}, {}]);
    assert.deepEqual(await left(ledger), ["message m"]);
    assert.ok(await ledger.erasure(alice, one.id));
  }),

  test("everything is every record, link and job of the partition, and no more", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [...inventory(), named("s", note("s"), ["message", "message"])]);
    await ledger.append(alice, {
      operation: "jobs",
      records: [],
      jobs: [{ queue: "q" }, { queue: "q", sources: [{ kind: "text", id: "s" }] }],
    });
    await store(ledger, inventory(), bob);
    await ledger.setPolicy(alice, { maxRecords: 1000 });
    const { counts, seq } = await ledger.erase(alice, { operation: "e", everything: true });
    const each = Object.fromEntries(kinds.map((kind) => [kind, 2]));
    assert.deepEqual(counts, { ...each, text: 3, grain: 3, link: 2, job: 2 });
    assert.deepEqual(await left(ledger), []);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    const head = await headOf(ledger);
    assert.deepEqual(
      [head.records, head.bytes, head.seq, head.generation, head.policy],
      [0, 0, seq, 1, { maxRecords: 1000 }],
    );
    assert.equal((await headOf(ledger, bob)).records, 2 * kinds.length + 1);
    // Life goes on, and no number comes twice.
    const after = await ledger.append(alice, { operation: "after", records: [note("n")] });
    assert.equal(after.seq, seq + 1);
    // The operations of before have had their effect, and have none again.
    const replay = await ledger.append(alice, { operation: "stored", records: [note("n")] });
    assert.deepEqual([replay.replayed, replay.compared], [true, false]);
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("erasing everything in a partition that does not exist is no error", async ({ open }) => {
    const ledger = await open();
    const { counts, id } = await ledger.erase(alice, { operation: "e", everything: true });
    assert.deepEqual(counts, {});
    assert.equal((await ledger.verify(alice, id)).clean, true);
  }),

  test("thousands of records go in one call, and none is left", async ({ open }) => {
    const ledger = await open();
    for (let i = 0; i < 4; i++) {
      const records = Array.from({ length: 1000 }, () => message("m", { sessionId: "long" }));
      await ledger.append(alice, { operation: `o${i}`, records });
    }
    await store(ledger, [named("kept", message("kept", { sessionId: "other" }))]);
    const { counts, id } = await ledger.erase(alice, { operation: "e", sessionId: "long" });
    assert.deepEqual(counts, { message: 4000 });
    assert.deepEqual(await left(ledger), ["message kept"]);
    const report = await ledger.verify(alice, id);
    assert.deepEqual([report.clean, report.leftovers], [true, {}]);
  }, 120_000),

  test("an erasure is idempotent by its operation, and has a receipt by its id", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await store(ledger, [
      named("m", message("m")),
      named("n", message("n")),
      named("s", note("s"), ["message", "m"]),
    ]);
    const first = await erase(ledger, "e", "message m", "message n");
    assert.equal(first.recordedAt, clock.now());
    clock.advance(1000);
    await ledger.append(alice, { operation: "new", records: [named("o", message("o"))] });
    const before = await headOf(ledger);
    for (const again of [
      await erase(ledger, "e", "message m", "message n"),
      await erase(ledger, "e", "message n", "message m"),
    ])
      assert.deepEqual({ ...again, state: first.state }, first);
    assert.deepEqual(await headOf(ledger), before);
    assert.deepEqual({ ...(await ledger.erasure(alice, first.id)), state: first.state }, first);
    assert.equal(await ledger.erasure(alice, "nowhere"), undefined);
    await rejects("operation_conflict", () => erase(ledger, "e", "message m"));
    await rejects("operation_conflict", () => erase(ledger, "e", "message m", "message n", "message o"));
    await rejects("operation_conflict", () => ledger.erase(alice, { operation: "e", sessionId: "session" }));
    assert.ok(await isThere(ledger, "message", "o"));
  }),

  test("fifty callers of one erasure erase once", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const receipts = await Promise.all(Array.from({ length: 50 }, () => erase(ledger, "e", "message m")));
    for (const { counts, seq } of receipts)
      assert.deepEqual([counts, seq], [{ message: 1 }, receipts[0]?.seq]);
    assert.equal((await headOf(ledger)).generation, 1);
  }),

  test("an erasure names exactly one scope", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const scopes = [
      {},
      { refs: [], everything: true },
      { sessionId: "s", refs: [] },
      { everything: false },
      { agentId: "a" },
      { everything: true, more: 1 },
    ];
    for (const scope of scopes)
      await rejects("invalid_argument", () => ledger.erase(alice, { operation: "e", ...scope } as never));
    await rejects("invalid_argument", () =>
      ledger.erase(alice, { operation: "e", refs: [{ kind: "job", id: "j" }] }),
    );
    await rejects("invalid_argument", () =>
      ledger.erase(alice, { operation: "e", refs: [{ kind: "toString", id: "j" }] }),
    );
    assert.deepEqual(await left(ledger), ["message m"]);
  }),

  test("an erasure ends physical, at the latest after maintenance", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const { id, state } = await erase(ledger, "e", "message m");
    assert.ok(["logically_erased", "physically_erased"].includes(state));
    await ledger.maintain();
    assert.equal((await ledger.erasure(alice, id))?.state, "physically_erased");
    assert.equal((await erase(ledger, "e", "message m")).state, "physically_erased");
    const report = await ledger.verify(alice, id);
    assert.deepEqual(
      [report.clean, report.state, report.leftovers, report.probes],
      [true, "physically_erased", {}, undefined],
    );
    assert.ok(report.outside.length > 0);
  }),

  test("derive jobs are claimed and done like any other, and their result may take the erased one's place", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      named("s", note("s"), ["message", "m1"], ["message", "m2"]),
    ]);
    await erase(ledger, "e", "message m1");
    const [job] = await ledger.jobs.claim({ queues: ["derive"], leaseFor: 60_000 });
    assert.deepEqual(
      [job?.payload, job?.sources],
      [{ kind: "text", id: "s" }, [{ kind: "message", id: "m2" }]],
    );
    const { ids } = await ledger.append(alice, {
      operation: `job/${job?.id}`,
      records: [{ ...note("s of m2"), sources: job?.sources }],
      job,
    });
    assert.equal((await theRecord(ledger, "text", ids[0] as string)).content, "s of m2");
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "derive" })).jobs as Job[], []);
  }),

  test("agents' labels are no scope, and are kept by what stays", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("a", note("a", { agentId: "one" })),
      named("b", note("b", { agentId: "two" })),
    ]);
    await erase(ledger, "e", "text a");
    const texts = await everyPage(ledger, "text", { index: "byAgent", prefix: ["two"] });
    assert.deepEqual(
      texts.map(({ id }) => id),
      ["b"],
    );
    assert.deepEqual(await everyPage(ledger, "text", { index: "byAgent", prefix: ["one"] }), []);
  }),

  durableTest("an erasure, its markers and its receipt outlive the ledger", async ({ place, reopen }) => {
    const name = await place();
    const before = await reopen(name);
    await store(before, [named("m", message("m")), named("s", note("s"), ["message", "m"])]);
    const receipt = await erase(before, "e", "message m");
    await before.close();
    const after = await reopen(name);
    await after.maintain();
    assert.deepEqual(await left(after), []);
    assert.deepEqual(await after.erasure(alice, receipt.id), { ...receipt, state: "physically_erased" });
    for (const id of ["m", "s"])
      await rejects("erased", () =>
        after.append(alice, {
          operation: "o",
          records: [id === "m" ? named(id, message("")) : named(id, note(""))],
        }),
      );
    assert.equal((await after.verify(alice, receipt.id)).clean, true);
  }),

  processTest(
    "another process erases what this one wrote, and this one sees it gone",
    async ({ place, reopen, start }) => {
      const name = await place();
      const ledger = await reopen(name);
      await store(ledger, [
        named("m", message("m")),
        named("s", note("s"), ["message", "m"]),
        named("kept", note("k")),
      ]);
      const child = await start(name, eraseTask, {
        user: alice,
        operation: "e",
        refs: [{ kind: "message", id: "m" }],
      });
      child.go();
      const receipt = await child.result;
      assert.deepEqual(receipt.counts, { message: 1, text: 1, link: 1 });
      assert.deepEqual(await left(ledger), ["text kept"]);
      await rejects("erased", () =>
        ledger.append(alice, { operation: "o", records: [named("t", note("t"), ["message", "m"])] }),
      );
      const again = await erase(ledger, "e", "message m");
      assert.deepEqual({ ...again, state: receipt.state }, receipt);
    },
  ),
]);
