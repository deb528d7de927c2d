import { expect, test } from "vitest";
import { collected } from "../../../test/support/import-source.ts";
import { Flux } from "../../flux/flux.ts";
import { importFile } from "./import-file.ts";
import type { ImportProblem } from "./imported.ts";

const scope = { userId: "alice" };

async function openOne() {
  const flux = await Flux.open("inmemory", { embedder: false });
  const memory = flux.for(scope);
  const problems: ImportProblem[] = [];
  const run = (name: string, content: string | Uint8Array, format = "auto") =>
    importFile(
      memory,
      { name, bytes: bytesOf(content) },
      {
        ...{ format, scope },
        onProblem: (problem) => problems.push(problem),
      },
    );
  return { flux, memory, problems, run, [Symbol.asyncDispose]: () => flux.close() };
}

async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

const none = { stored: 0, known: 0, mentioned: 0, erased: 0, problems: 0 };

test("a file is taken for what it is, and imported once", async () => {
  await using one = await openOne();
  const text = `\ufeff${'{"role":"user","content":"hello"}\r\n'.repeat(3)}`;
  expect(await one.run("a.jsonl", text)).toEqual({ ...none, format: "jsonl", stored: 3 });
  expect(await one.run("a.jsonl", text)).toEqual({ ...none, format: "jsonl", known: 3 });
  expect(await one.run("empty", "")).toEqual({ ...none, format: "text" });
});

test("an export comes back as it was, but for lines that are damaged", async () => {
  await using from = await openOne();
  await from.memory.store("Bob likes tea", { pinned: true, statedAt: 5 });
  await from.memory.storeBatch([{ role: "user", content: "Hi", sessionId: "s", saidAt: 6 }]);
  const lines = (await collected(from.memory.export())).map((line) => JSON.stringify(line));
  await using to = await openOne();
  const damaged = [...lines.slice(0, 2), lines[2]?.slice(0, 20), ...lines.slice(2)].join("\n");
  expect(await to.run("x", damaged)).toEqual({ ...none, format: "export", stored: 2, problems: 1 });
  expect(to.problems).toEqual([{ type: "problem", place: "line 3", problem: "is no JSON" }]);
  expect(await to.run("x", damaged)).toEqual({ ...none, format: "export", known: 2, problems: 1 });
  expect((await to.memory.list({ order: "oldest" })).items).toMatchObject([
    { text: "Bob likes tea", pinned: true, saidAt: 5 },
    { text: "Hi", role: "user", sessionId: "s", saidAt: 6 },
  ]);
});

test.each([
  ["export.zip", "PK\u0003\u0004conversations.json", /unpack/],
  ["scan.pdf", "%PDF-1.7\n", /no text/],
  ["picture", "\u0089PNG\0\0", /no text/],
])("%s is left out, unless it is said to be text", async (name, content, problem) => {
  await using one = await openOne();
  const file = content + "x".repeat(100_000);
  expect(await one.run(name, file)).toEqual({ ...none, format: "text", problems: 1 });
  expect(one.problems).toMatchObject([{ place: "the file", problem: expect.stringMatching(problem) }]);
  expect((await one.memory.list()).items).toEqual([]);
  expect(await one.run(name, file, "text")).toMatchObject({ stored: expect.any(Number), problems: 0 });
  expect((await one.memory.list()).items).not.toEqual([]);
});

test("bytes that are no text are told of once, and the rest is kept", async () => {
  await using one = await openOne();
  const latin = Uint8Array.from("café\n\ncafé", (character) => character.charCodeAt(0));
  expect(await one.run("a.txt", latin)).toEqual({ ...none, format: "text", stored: 1, problems: 1 });
  expect((await one.memory.list()).items[0]?.text).toBe("caf\ufffd\n\ncaf\ufffd");
});

test("a file that is not of the format that was named is refused", async () => {
  await using one = await openOne();
  await expect(one.run("a", "hello", "chatgpt")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(one.run("a", "hello", "docx")).rejects.toMatchObject({ code: "invalid_argument" });
});
