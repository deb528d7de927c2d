import { expect, test } from "vitest";
import { Flux } from "../flux/flux.ts";
import { exportText } from "./export-text.ts";

test("Markdown has what was said in several sessions at a time session by session", async () => {
  await using flux = await Flux.open("inmemory", { embedder: false });
  const memory = flux.for({ userId: "ann" });
  const said = { role: "user", saidAt: 0 } as const;
  await memory.storeBatch([
    { ...said, sessionId: "a", content: "one" },
    { ...said, sessionId: "b", content: "two" },
    { ...said, sessionId: "a", content: "three\n# four" },
    { text: "five", statedAt: 0, author: "Ann\nLee" },
    { sessionId: "b", input: "six", output: "seven", occurredAt: 0 },
    { sessionId: "b", input: "", output: "eight", occurredAt: 0, transcript: [] },
  ]);
  let markdown = "";
  for await (const part of exportText(memory.export(), "markdown")) markdown += part;
  const user = "user, 1970-01-01T00:00:00.000Z:";
  const assistant = "assistant, 1970-01-01T00:00:00.000Z:";
  expect(markdown).toBe(
    [
      "# Memories",
      ...["## a", user, "> one", user, "> three\n> # four"],
      ...["## b", user, "> two", user, "> six", assistant, "> seven", assistant, "> eight"],
      ...["## Without a session", "Ann Lee, 1970-01-01T00:00:00.000Z:", "> five\n"],
    ].join("\n\n"),
  );
});

test("Markdown has the facts that are believed behind what was said, and nothing twice", async () => {
  await using flux = await Flux.open("inmemory", { embedder: false });
  const memory = flux.for({ userId: "ann" });
  const { id } = await memory.store("I moved to Porto.", { statedAt: 0 });
  const sources = [{ kind: "text", id }];
  await memory.facts.add({ subject: "user", predicate: "lives_in", object: "Porto", sources, saidAt: 0 });
  await memory.facts.add({ subject: "user", predicate: "likes", object: "tea\n# coffee", saidAt: 0 });
  const [, retracted] = (await memory.facts.query({ order: "oldest" })).items;
  let markdown = "";
  for await (const part of exportText(memory.export(), "markdown")) markdown += part;
  expect(markdown.split("## Facts\n")[1]).toBe("\n- user lives in Porto\n- user likes tea # coffee\n");
  await memory.facts.retract(retracted?.id ?? "");
  markdown = "";
  for await (const part of exportText(memory.export(), "markdown")) markdown += part;
  expect(markdown.split("## Facts\n")[1]).toBe("\n- user lives in Porto\n");
});
