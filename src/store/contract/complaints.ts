/**
 * What users of other memory systems complained of, tried on a ledger. The numbers are the rows of the project's list of
 * complaints; each case is the shortest form of the probe that its row names.
 */
import assert from "node:assert/strict";
import { partition } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { derivedFrom, find, get } from "../read.ts";
import { makeGraph } from "./decisions.ts";
import { alice, bob, everyPage, headOf, rejects, theRecord } from "./expectations.ts";
import { findOrInsert, reinforce } from "./plans.ts";
import { runTogether } from "./processes.ts";
import { block, fact, grain, message, named, note } from "./samples.ts";
import { durableTest, group, processTest, test } from "./suite.ts";
import { append, erase } from "./tasks.ts";

const duplicates = group("complaints 3a, duplicates", [
  test("#1 #2 fifty parallel adds of one text keep one row", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "tea", content: "Alice likes tea" };
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ledger.update(alice, { operation: `add ${i}`, plan: findOrInsert, input }),
      ),
    );
    assert.equal((await everyPage(ledger, "text")).length, 1);
  }),

  test("#3 a second add of the same text does not delete it", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "tea", content: "Alice likes tea" };
    for (const operation of ["first", "second"])
      await ledger.update(alice, { operation, plan: findOrInsert, input });
    const texts = await everyPage(ledger, "text");
    assert.deepEqual(
      texts.map(({ content }) => content),
      ["Alice likes tea"],
    );
  }),

  test("#5 #11b an event replayed forty times is stored once", async ({ open }) => {
    const ledger = await open();
    const receipts = [];
    for (let i = 0; i < 40; i++)
      receipts.push(await ledger.append(alice, { operation: "event-7", records: [message("hello")] }));
    assert.equal((await headOf(ledger)).records, 1);
    assert.deepEqual(new Set(receipts.map(({ ids }) => ids[0])).size, 1);
    assert.deepEqual(
      receipts.map(({ replayed }) => replayed),
      [false, ...Array.from({ length: 39 }, () => true)],
    );
  }),

  test("#7 #11d a turn stored again after each of its steps is one user message", async ({ open }) => {
    const ledger = await open();
    for (let step = 0; step < 5; step++) {
      await ledger.append(alice, { operation: "turn 1, user", records: [message("What is the weather?")] });
      await ledger.append(alice, {
        operation: `turn 1, step ${step}`,
        records: [message("{}", { role: "tool", toolCallId: `call-${step}` })],
      });
    }
    const messages = await everyPage(ledger, "message");
    assert.equal(messages.filter(({ role }) => role === "user").length, 1);
    assert.equal(messages.filter(({ role }) => role === "tool").length, 5);
  }),

  test("#8 ids are unique in a history, also of equal messages", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 20 }, () => message("yes"));
    const { ids } = await ledger.append(alice, { operation: "turns", records });
    assert.equal(new Set(ids).size, 20);
    assert.equal((await everyPage(ledger, "message")).length, 20);
  }),

  test("#10 #11c texts that differ in a letter of any script or in a number are both kept", async ({
    open,
  }) => {
    const ledger = await open();
    const contents = [
      "她住在北京",
      "她住在南京",
      "He worked there for 5 years",
      "He worked there for 6 years",
    ];
    for (const content of contents)
      await ledger.update(alice, {
        operation: content,
        plan: findOrInsert,
        input: { contentKey: content, content },
      });
    assert.deepEqual(
      (await everyPage(ledger, "text")).map(({ content }) => content).sort(),
      [...contents].sort(),
    );
  }),

  test("#9 a passage that differs in white space or case alone is another text, unless the caller says otherwise", async ({
    open,
  }) => {
    const ledger = await open();
    const add = (content: string) => {
      const contentKey = content.trim().toLowerCase();
      return ledger.update(alice, { operation: content, plan: findOrInsert, input: { contentKey, content } });
    };
    for (const content of ["Tea", " tea", "TEA ", "Coffee"]) await add(content);
    const contents = (await everyPage(ledger, "text", { index: "byTime" })).map(({ content }) => content);
    assert.deepEqual(contents.sort(), ["Coffee", "Tea"]);
    await ledger.append(alice, { operation: "o", records: [note("tea"), note("Tea")] });
    assert.equal((await headOf(ledger)).records, 4);
  }),

  test("#11 one batch cannot hold the same id twice", async ({ open }) => {
    const ledger = await open();
    await rejects("already_exists", () =>
      ledger.append(alice, {
        operation: "batch",
        records: [named("x", note("one")), named("x", note("two"))],
      }),
    );
    assert.equal((await everyPage(ledger, "text")).length, 0);
  }),
]);

const lostWrites = group("complaints 3b, lost or corrupted writes", [
  test("#12 a hundred parallel writes in one process are a hundred records", async ({ open }) => {
    const ledger = await open();
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        ledger.append(alice, { operation: `o${i}`, records: [note(`note ${i}`)] }),
      ),
    );
    const contents = (await everyPage(ledger, "text")).map(({ content }) => content);
    assert.equal(new Set(contents).size, 100);
  }),

  processTest("#13 #17 four processes with 250 writes each leave a thousand records", async (setup) => {
    const store = await setup.place();
    const ledger = await setup.reopen(store);
    const names = ["a", "b", "c", "d"];
    const children = await Promise.all(
      names.map((name) => setup.start(store, append, { users: [alice], name, count: 250, shared: 0 })),
    );
    const ids = (await runTogether(children)).flat();
    assert.equal(new Set(ids).size, 2_000);
    const messages = await everyPage(ledger, "message", { limit: 1000 });
    for (const name of names) assert.equal(messages.filter(({ content }) => content === name).length, 250);
  }),

  processTest(
    "#13b a process killed between two writes leaves a store that opens and is whole",
    async (setup) => {
      const store = await setup.place();
      const child = await setup.start(store, append, {
        users: [alice],
        name: "a",
        count: 100_000,
        shared: 0,
      });
      child.go();
      const ledger = await setup.reopen(store);
      while ((await everyPage(ledger, "message", { limit: 1000 })).length < 20);
      await child.kill();
      // Each operation wrote a message and a text together.
      const [messages, texts] = [await everyPage(ledger, "message"), await everyPage(ledger, "text")];
      assert.equal(messages.length, texts.length);
      await ledger.append(alice, { operation: "after", records: [note("after")] });
      assert.equal((await headOf(ledger)).records, messages.length + texts.length + 1);
    },
  ),

  test("#13c #13d parallel appends with ids of their own, and to one thread, are all there", async ({
    open,
  }) => {
    const ledger = await open();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        ledger.append(alice, {
          operation: `o${i}`,
          records: [named(`n ${i}`, note("n")), message(`line ${i}`)],
        }),
      ),
    );
    assert.equal((await everyPage(ledger, "text")).length, 60);
    const lines = (await everyPage(ledger, "message")).map(({ content }) => content);
    assert.equal(new Set(lines).size, 60);
  }),

  test("#16 parallel read-modify-write of one edge loses no step", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        ledger.update(alice, { operation: `o${i}`, plan: reinforce, input: { id: "c", step: 0.01 } }),
      ),
    );
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 40);
  }),

  test("#14 a request that cannot be read does not make the others fail", async ({ open }) => {
    const ledger = await open();
    const calls = Array.from({ length: 30 }, (_, i) =>
      ledger.append(alice, {
        operation: `o${i}`,
        records: [note(`${i}`, i % 10 === 3 ? { form: "bad" as never } : {})],
      }),
    );
    const outcomes = await Promise.allSettled(calls);
    assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 3);
    assert.equal((await headOf(ledger)).records, 27);
  }),

  test("#20 #21 what was remembered in parallel is recalled at once, each of it", async ({ open }) => {
    const ledger = await open();
    const contents = Array.from({ length: 7 }, (_, i) => `remember ${i}`);
    await Promise.all(
      contents.map(async (content) => {
        const input = { contentKey: content, content };
        await ledger.update(alice, { operation: content, plan: findOrInsert, input });
        const [found] = await everyPage(ledger, "text", { index: "byContent", prefix: [content] });
        assert.equal(found?.content, content);
      }),
    );
    assert.equal((await headOf(ledger)).records, 7);
  }),

  test("#22 two agents on one thread wait for nobody for ever", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    const agent = async (name: string): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        await ledger.append(alice, {
          operation: `${name} ${i}`,
          records: [message(name, { agentId: name })],
        });
        await ledger.update(alice, {
          operation: `${name} +${i}`,
          plan: reinforce,
          input: { id: "c", step: 0 },
        });
      }
    };
    await Promise.all([agent("one"), agent("two")]);
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 40);
    for (const name of ["one", "two"])
      assert.equal((await everyPage(ledger, "message", { index: "byAgent", prefix: [name] })).length, 20);
  }),

  test("#18 parallel writes for several users do not cross", async ({ open }) => {
    const ledger = await open();
    const users = Array.from({ length: 10 }, (_, i) => partition({ userId: `user ${i}` }));
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const user = users[i % users.length] ?? alice;
        return ledger.append(user, { operation: `o${i}`, records: [note(String(user.userId))] });
      }),
    );
    for (const user of users) {
      const contents = (await everyPage(ledger, "text", {}, user)).map(({ content }) => content);
      assert.deepEqual(
        contents,
        Array.from({ length: 20 }, () => user.userId),
      );
    }
  }),

  durableTest("#15 #23 what was written in two steps is there whole after opening again", async (setup) => {
    const store = await setup.place();
    const first = await setup.reopen(store);
    await first.append(alice, { operation: "one", records: [message("one"), note("one")] });
    await first.close();
    const second = await setup.reopen(store);
    await second.append(alice, { operation: "two", records: [message("two"), note("two")] });
    assert.equal((await headOf(second)).records, 4);
  }),
]);

const wrongTenant = group("complaints 3c, wrong tenant", [
  test("#26 options that are frozen or used again carry nothing over to the next user", async ({ open }) => {
    const ledger = await open();
    const request = Object.freeze({
      operation: "same",
      records: Object.freeze([Object.freeze(note("mine"))]),
    });
    await ledger.append(alice, request);
    await ledger.append(bob, request);
    assert.equal((await everyPage(ledger, "text", {}, alice)).length, 1);
    assert.equal((await everyPage(ledger, "text", {}, bob)).length, 1);
  }),

  test("#27 scope names in metadata are data", async ({ open }) => {
    const ledger = await open();
    const metadata = { userId: "bob", namespace: "other", sessionId: "x", partition: "bob" };
    await ledger.append(alice, { operation: "o", records: [note("hers", { metadata })] });
    assert.equal((await everyPage(ledger, "text", {}, bob)).length, 0);
    assert.deepEqual((await everyPage(ledger, "text"))[0]?.metadata, metadata);
  }),

  test("#28 #29 ids that look like patterns or hold delimiters are ids", async ({ open }) => {
    const ledger = await open();
    const ids = ["*", "%", "_", "a_b", "a%b", "a&b=c", "a,b", 'a"b', "a:b", "alice", "alice*", null];
    for (const userId of ids)
      await ledger.append(partition({ userId }), { operation: "o", records: [note(`of ${userId}`)] });
    for (const userId of ids) {
      const texts = await everyPage(ledger, "text", {}, partition({ userId }));
      assert.deepEqual(
        texts.map(({ content }) => content),
        [`of ${userId}`],
      );
    }
  }),

  test("#30 #33 everything of one user goes, and nothing of another who has the same names", async ({
    open,
  }) => {
    const ledger = await open();
    for (const user of [alice, bob]) await makeGraph(ledger, user);
    const { counts } = await ledger.erase(alice, { operation: "reset", everything: true });
    assert.deepEqual(counts, { message: 1, grain: 2, conduit: 1 });
    assert.equal((await headOf(ledger)).records, 0);
    assert.equal((await headOf(ledger, bob)).records, 4);
    assert.equal((await theRecord(ledger, "conduit", "c", bob)).fromId, "g");
  }),

  test("#34 two stores in one process are read where they were written", async ({ open }) => {
    const stores = [await open(), await open()];
    for (const [i, store] of stores.entries())
      await store.append(alice, { operation: "o", records: [named("t", note(`store ${i}`))] });
    for (const [i, store] of stores.entries())
      assert.equal((await theRecord(store, "text", "t")).content, `store ${i}`);
  }),

  test("#32 #37 #38 there is no read without a user", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("hers"))] });
    const nobody = [[], [undefined], [null], [{}], [{ namespace: "default" }], [alice, bob]] as never[];
    for (const partitions of nobody)
      await rejects(["invalid_argument", "invalid_user_id"], () =>
        ledger.read(partitions, [get("text", "t")]),
      );
    const [record] = await ledger.read([partition({ userId: null })], [get("text", "t")]);
    assert.equal(record, undefined);
  }),

  test("#31 another owner's id finds nothing", async ({ open }) => {
    const ledger = await open();
    const { ids } = await ledger.append(alice, { operation: "o", records: [note("hers")] });
    const texts = await everyPage(ledger, "text", {}, bob);
    assert.ok(!texts.some(({ id }) => ids.includes(id)));
    await rejects("erased", () =>
      ledger.append(bob, { operation: "o", records: [named("y", note("y"), ["text", ids[0] ?? ""])] }),
    );
  }),
]);

const textAndIds = group("complaints 3f, text", [
  test("#65 #67 lone surrogates and NUL lose nothing around them", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("before\ud800between\0after")] });
    assert.equal((await everyPage(ledger, "text"))[0]?.content, "before\ufffdbetween\ufffdafter");
  }),

  test("#66 an emoji text cut at every index is stored, and each cut says that it was repaired", async ({
    open,
  }) => {
    const ledger = await open();
    const whole = "a👍🏽é👨‍👩‍👧";
    const cuts = Array.from({ length: whole.length + 1 }, (_, i) => whole.slice(0, i));
    const records = cuts.map((cut, i) => named(`cut ${i}`, note(cut)));
    const { repaired } = await ledger.append(alice, { operation: "o", records });
    const broken = cuts.flatMap((cut, i) => (cut.isWellFormed() ? [] : [`cut ${i}`]));
    assert.deepEqual(repaired, broken);
    assert.ok(broken.length > 0);
  }),

  test("#74 a string for `in` is refused, not read letter by letter", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("n", { metadata: { tag: "a" } })] });
    const filter = { tag: { in: "abc" } } as never;
    await rejects("invalid_filter", () => ledger.read([alice], [find("text", { filter })]));
    await rejects("invalid_argument", () => ledger.jobs.claim({ queues: "abc" as never, leaseFor: 1 }));
  }),

  test("#104 a hundred messages of one millisecond keep their order", async ({ open }) => {
    const ledger = await open();
    const contents = Array.from({ length: 100 }, (_, i) => `${i}`);
    for (let at = 0; at < 100; at += 10)
      await ledger.append(alice, {
        operation: `o${at}`,
        records: contents.slice(at, at + 10).map((one) => message(one)),
      });
    const options = { index: "bySession", prefix: ["session"], limit: 7 };
    const found = (await everyPage(ledger, "message", options)).map(({ content }) => content);
    assert.deepEqual(found, contents);
  }),

  test("#72 one very large message is stored whole", async ({ open }) => {
    const ledger = await open();
    const content = "語".repeat(500_000);
    await ledger.append(alice, { operation: "o", records: [message(content)] });
    assert.equal((await everyPage(ledger, "message"))[0]?.content, content);
  }),

  test("#75 keys of metadata keep their spelling", async ({ open }) => {
    const ledger = await open();
    const metadata = { snake_case: 1, camelCase: 2, "Kebab-Case": 3, UPPER: 4 };
    await ledger.append(alice, { operation: "o", records: [note("n", { metadata })] });
    assert.deepEqual((await everyPage(ledger, "text"))[0]?.metadata, metadata);
  }),

  test("#76 the number 42 is no id, and the text 42 is", async ({ open }) => {
    const ledger = await open();
    await rejects("invalid_id", () => ledger.append(alice, { operation: 42 as never, records: [note("n")] }));
    await ledger.append(alice, { operation: "42", records: [named("42", note("n"))] });
    assert.equal((await theRecord(ledger, "text", "42")).content, "n");
  }),
]);

const deletion = group("complaints 3j, deletion", [
  test("#105 erasing everything leaves none of many records", async ({ open }) => {
    const ledger = await open();
    for (let i = 0; i < 4; i++) {
      const records = Array.from({ length: 500 }, (_, n) => note(`note ${i} ${n}`));
      await ledger.append(alice, { operation: `o${i}`, records });
    }
    const { counts } = await ledger.erase(alice, { operation: "all", everything: true });
    assert.equal(counts.text, 2000);
    assert.equal((await headOf(ledger)).records, 0);
    assert.equal((await everyPage(ledger, "text")).length, 0);
  }),

  processTest(
    "#106 what another process erases is found by nobody, with its links and edges",
    async (setup) => {
      const store = await setup.place();
      const ledger = await setup.reopen(store);
      await makeGraph(ledger);
      await ledger.append(alice, {
        operation: "s",
        records: [named("s", note("summary"), ["message", "m"])],
      });
      const child = await setup.start(store, erase, {
        user: alice,
        operation: "e",
        refs: [{ kind: "message", id: "m" }],
      });
      child.go();
      assert.deepEqual((await child.result).counts, { message: 1, grain: 2, conduit: 1, text: 1, link: 1 });
      assert.equal((await headOf(ledger)).records, 0);
      const [derived] = await ledger.read([alice], [derivedFrom("message", "m")]);
      assert.deepEqual(derived, []);
    },
  ),

  test("#108 a summary that is being written while its session is erased does not appear", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [named("m", message("secret", { sessionId: "s" })), named("n", message("other"))];
    const sources = [
      { kind: "message", id: "m" },
      { kind: "message", id: "n" },
    ];
    await ledger.append(alice, { operation: "o", records, jobs: [{ queue: "summarise", sources }] });
    const [job] = await ledger.jobs.claim({ queues: ["summarise"], leaseFor: 60_000 });
    await ledger.erase(alice, { operation: "e", sessionId: "s" });
    const late = named("summary", note("about the secret"));
    await rejects("lease_lost", () => ledger.append(alice, { operation: "late", records: [late], job }));
    const derived = named("summary", note("about the secret"), ["message", "m"]);
    await rejects("erased", () => ledger.append(alice, { operation: "late", records: [derived] }));
    assert.deepEqual(await everyPage(ledger, "text"), []);
  }),

  test("#107 a changed record keeps the properties that were not changed", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    await ledger.update(alice, { operation: "o", plan: reinforce, input: { id: "c", step: 0.1 } });
    assert.equal((await theRecord(ledger, "conduit", "c")).relation, "next");
  }),

  test("#109 #110 erasing takes edges along, and erasing nothing counts nothing", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    const nothing = await ledger.erase(alice, { operation: "none", refs: [{ kind: "text", id: "nobody" }] });
    assert.deepEqual(nothing.counts, {});
    const { counts } = await ledger.erase(alice, { operation: "one", refs: [{ kind: "grain", id: "g" }] });
    assert.deepEqual(counts, { grain: 1, conduit: 1 });
  }),

  test("#111 one record of many can be erased alone", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("a", note("a")),
      named("b", note("b")),
      named("k", block("k")),
      named("f", fact("f")),
    ];
    await ledger.append(alice, { operation: "o", records });
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "a" }] });
    assert.equal((await headOf(ledger)).records, 3);
  }),

  test("#116 quotes and operators in ids and texts are no statements", async ({ open }) => {
    const ledger = await open();
    const hostile = `'); drop table "text"; -- \\ " ; select 1 /* NEAR( OR * ^ :`;
    const user = partition({ userId: hostile, namespace: hostile });
    const records = [
      named(hostile, note(hostile, { sessionId: hostile, metadata: { [hostile]: hostile } })),
      insert("grain", grain("text", hostile)),
    ];
    await ledger.append(user, { operation: hostile, records });
    const texts = await everyPage(ledger, "text", { filter: { [hostile]: hostile } }, user);
    assert.equal(texts[0]?.content, hostile);
    assert.equal((await headOf(ledger, user)).records, 2);
  }),
]);

export const complaints = [duplicates, lostWrites, wrongTenant, textAndIds, deletion];
