import { expect, test } from "vitest";
import { Flux } from "../../flux/flux.ts";
import { partition } from "../../model/partition.ts";
import { find } from "../../store/read.ts";
import { type Imported, type ImportProblem, imported, problem } from "./imported.ts";
import { storeImported } from "./store-imported.ts";

const scope = { userId: "alice" };
const alice = partition(scope);
const none = { stored: 0, known: 0, mentioned: 0, erased: 0, problems: 0 };

async function openOne() {
  const flux = await Flux.open("inmemory", { embedder: false });
  const memory = flux.for(scope);
  const run = (found: Iterable<Imported>, options: { readonly again?: boolean } = {}) =>
    storeImported(memory, asAsync(found), { scope, ...options });
  const messages = async (sessionId: string) => {
    const [page] = await flux.ledger.read(
      [alice],
      [find("message", { index: "bySession", prefix: [sessionId], limit: 500 })],
    );
    return page?.items.map(({ content }) => content);
  };
  return { flux, memory, run, messages, [Symbol.asyncDispose]: () => flux.close() };
}

async function* asAsync<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const message = (n: number, sessionId = "s"): Imported =>
  imported({ role: "user", content: `message ${n}`, sessionId }, sessionId, String(n));
const messages = (count: number, sessionId?: string): Imported[] =>
  Array.from({ length: count }, (_, i) => message(i, sessionId));

test("messages of a session are stored in their order, once, however often and from wherever they come", async () => {
  await using one = await openOne();
  expect(await one.run(messages(100))).toEqual({ ...none, stored: 100 });
  expect(await one.messages("s")).toEqual(Array.from({ length: 100 }, (_, i) => `message ${i}`));
  const all = await Promise.all([one.run(messages(150)), one.run(messages(150)), one.run(messages(120))]);
  expect(all.every(({ known, stored }) => known + stored >= 120)).toBe(true);
  expect(await one.messages("s")).toHaveLength(150);
});

test("sessions do not mix", async () => {
  await using one = await openOne();
  const mixed = Array.from({ length: 60 }, (_, i) => message(i, `s${i % 3}`));
  expect(await one.run(mixed)).toEqual({ ...none, stored: 60 });
  expect(await one.messages("s1")).toEqual(Array.from({ length: 20 }, (_, i) => `message ${3 * i + 1}`));
});

test("what was interrupted goes on", async () => {
  await using one = await openOne();
  function* interrupted(): Generator<Imported> {
    yield* messages(10);
    throw new Error("unplugged");
  }
  await expect(one.run(interrupted())).rejects.toThrow("unplugged");
  expect(await one.run(messages(20))).toEqual({ ...none, known: 10, stored: 10 });
});

test("a text that the memory holds already is a mention, at the first import only", async () => {
  await using one = await openOne();
  await one.memory.store("Tea is fine", { provenance: "external_source" });
  const text = imported({ text: "Tea is fine.", provenance: "external_source" }, "x");
  expect(await one.run([text])).toEqual({ ...none, mentioned: 1 });
  await one.run([text]);
  const { items } = await one.memory.list();
  expect(items).toMatchObject([{ text: "Tea is fine", mentions: 1 }]);
});

test("a text is stored once for each agent", async () => {
  await using one = await openOne();
  const text = imported({ text: "Tea is fine" }, "k");
  for (const agentId of ["a", "b", "a"]) {
    const ofAgent = { ...scope, agentId };
    const report = await storeImported(one.flux.for(ofAgent), asAsync([text]), { scope: ofAgent });
    expect(report.stored + report.known).toBe(1);
  }
  expect((await one.memory.list()).items.map(({ agentId }) => agentId).sort()).toEqual(["a", "b"]);
});

test("an item that was imported under another title is known", async () => {
  await using one = await openOne();
  const item = { role: "user", content: "hello", sessionId: "s" } as const;
  await one.run([imported({ ...item, metadata: { title: "Old" } }, "k")]);
  expect(await one.run([imported({ ...item, metadata: { title: "New" } }, "k")])).toEqual({
    ...none,
    known: 1,
  });
});

test("what was erased comes back only when that is asked for, and then once", async () => {
  await using one = await openOne();
  await one.run(messages(2));
  await one.memory.erase({ sessionId: "s" });
  expect(await one.run(messages(2))).toEqual({ ...none, erased: 2 });
  expect(await one.messages("s")).toEqual([]);
  expect(await one.run(messages(2), { again: true })).toEqual({ ...none, stored: 2 });
  expect(await one.run(messages(2), { again: true })).toEqual({ ...none, known: 2 });
  expect(await one.messages("s")).toHaveLength(2);
});

test("what cannot be stored is a problem, and the rest is stored", async () => {
  await using one = await openOne();
  const problems: ImportProblem[] = [];
  const report = await storeImported(
    one.memory,
    asAsync([
      imported({ role: "user", content: "x".repeat(17_000_000), sessionId: "s" }, "long"),
      imported({ text: "  " }, "empty"),
      problem("line 3", "is no JSON"),
      message(4),
    ]),
    { scope, onProblem: (found) => problems.push(found) },
  );
  expect(report).toEqual({ ...none, stored: 1, problems: 3 });
  expect(problems.map(({ place }) => place).sort()).toEqual(["a text", "line 3", "session s"]);
});

test("a store that fails ends the import, and an abort too", async () => {
  await using one = await openOne();
  const { signal } = (() => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    return controller;
  })();
  await expect(storeImported(one.memory, asAsync(messages(3)), { scope, signal })).rejects.toThrow("enough");
  await one.flux.close();
  await expect(one.run(messages(100))).rejects.toMatchObject({ code: "closed" });
});
