import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../test/support/folder.ts";
import { resolveMemory } from "./agent.ts";
import { HashEmbedder, VectorMemory } from "./index.ts";

const folder = temporaryFolder();

afterEach(() => {
  vi.unstubAllEnvs();
});

test("every URL form that is built makes a memory at once, and those that are not say so", async () => {
  const quick = [
    "inmemory",
    "sqlite",
    `sqlite:${folder.path("bot.db")}`,
    "postgres://user:pw@localhost/loomflow",
  ];
  // Nothing is connected to: closing what was never used is at once.
  for (const url of quick) await resolveMemory(url).close();
  await resolveMemory().close();
  for (const url of ["chroma", "chroma:./chroma-db", "redis://localhost:6379/0"])
    expect(() => resolveMemory(url)).toThrow(expect.objectContaining({ code: "invalid_url" }));
});

test("Alice's home never turns up for Bob or for nobody, and is there after a restart, without a key", async () => {
  for (const name of ["FLUX_EMBEDDER", "LOOMFLOW_EMBEDDER", "OPENAI_API_KEY"]) vi.stubEnv(name, "");
  const spec = { backend: "sqlite", path: folder.path("bot.db"), logger: false } as const;
  for (const start of ["first", "second"]) {
    await using memory = resolveMemory(spec);
    const user = (userId: string | null) => memory.for({ userId, sessionId: "chat" });
    if (start === "first") {
      await user("alice").remember({ input: "Hi, I'm Alice and I live in Tokyo.", output: "Hello Alice!" });
      await user("bob").remember({ input: "Hi, I'm Bob.", output: "Hello Bob!" });
      await user(null).remember({ input: "Anonymous hello", output: "Hello!" });
      await memory.flush();
    }
    const homes = async (userId: string | null) =>
      (await user(userId).recallFacts("Where does she live?"))
        .filter(({ predicate }) => predicate === "lives_in")
        .map(({ object }) => object);
    expect(await homes("alice")).toEqual(["Tokyo"]);
    for (const other of ["bob", null, "Alice"]) {
      expect(await homes(other)).toEqual([]);
      const everything: unknown[] = [...(await user(other).recallFacts("", { limit: 100, history: true }))];
      for await (const line of user(other).export()) everything.push(line);
      expect(JSON.stringify(everything)).not.toContain("Tokyo");
    }
    expect((await user("bob").recall("Tokyo")).map(({ input }) => input)).toEqual(["Hi, I'm Bob."]);
  }
});

test("a user who is neither a string nor null is a TypeError with a code", () => {
  const memory = resolveMemory();
  for (const userId of [42, undefined, {}]) {
    const call = () => memory.for({ userId: userId as never });
    expect(call).toThrow(TypeError);
    expect(call).toThrow(expect.objectContaining({ code: "invalid_user_id" }));
  }
});

test("the object form chooses namespace, embedder and facts", async () => {
  await using memory = resolveMemory({
    ...{ backend: "sqlite", path: folder.path("tenants.db"), namespace: "tenant_a" },
    ...{ embedder: "hash", withFacts: true, logger: false },
  });
  const alice = memory.for({ userId: "alice" });
  await alice.remember({ input: "I live in Tokyo.", output: "Nice!" });
  await memory.flush();
  expect(alice.namespace).toBe("tenant_a");
  expect((await memory.status()).embedder?.id).toMatch(/hash/);
  expect((await alice.recallFacts("where does she live?")).map(({ predicate }) => predicate)).toEqual([
    "lives_in",
  ]);
  expect(await memory.for({ userId: "alice", namespace: "tenant_b" }).recallFacts("home")).toEqual([]);
});

test("VectorMemory has no URL: it is made, and is a memory like the others", async () => {
  await using memory = resolveMemory(new VectorMemory({ embedder: new HashEmbedder(), logger: false }));
  const alice = memory.for({ userId: "alice" });
  await alice.remember({ input: "I live in Tokyo.", output: "Nice!" });
  await memory.flush();
  const facts = await alice.recallFacts("where does she live?");
  expect(facts.some(({ predicate }) => predicate === "lives_in")).toBe(true);
});
