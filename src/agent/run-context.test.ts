import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { resolveMemory } from "../memory/resolve.ts";
import { getRunContext, RunContext, runWithContext } from "./run-context.ts";

describe("a run context", () => {
  test("has a user, a session, an id and metadata, and cannot be changed", () => {
    const metadata = { plan: "pro" };
    const context = new RunContext({ userId: "alice", sessionId: "s1", runId: "r1", metadata });
    metadata.plan = "free";
    expect({ ...context }).toEqual({
      ...{ userId: "alice", sessionId: "s1", runId: "r1" },
      metadata: { plan: "pro" },
    });
    expect(() => Object.assign(context, { userId: "bob" })).toThrow(TypeError);
    expect(() => Object.assign(context.metadata, { plan: "free" })).toThrow(TypeError);
  });

  test("metadata is read by its own keys, with a default", () => {
    const context = new RunContext({ userId: null, metadata: { plan: null } });
    expect(context.get("plan", "free")).toBe(null);
    expect(context.get("seats", 3)).toBe(3);
    for (const key of ["seats", "toString", "constructor", "__proto__"])
      expect(context.get(key)).toBe(undefined);
  });

  test("an override of null is not the same as none", () => {
    const context = new RunContext({ userId: "alice", sessionId: "s1", runId: "r1", metadata: { a: 1 } });
    expect({ ...context.withOverrides({ userId: null }) }).toEqual({ ...context, userId: null });
    expect({ ...context.withOverrides({ sessionId: null, metadata: { b: 2 } }) }).toEqual({
      ...context,
      ...{ sessionId: null, metadata: { b: 2 } },
    });
    expect({ ...context.withOverrides({ userId: undefined as never, sessionId: undefined }) }).toEqual({
      ...context,
    });
    expect(() => context.withOverrides({ user: "bob" } as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
    expect(() => context.withOverrides(null as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });

  test.each([42, undefined, true, {}, ["alice"], Symbol("alice")])("refuses %s as a user", (userId) => {
    const refused = expect.objectContaining({ name: "FluxTypeError", code: "invalid_user_id" });
    expect(() => new RunContext({ userId: userId as never })).toThrow(refused);
    expect(() => new RunContext({ userId: userId as never })).toThrow(TypeError);
    expect(() => runWithContext({ userId: userId as never }, () => 1)).toThrow(refused);
  });

  test("refuses what else does not fit", () => {
    const wrong: [unknown, string][] = [
      [{ userId: "" }, "invalid_user_id"],
      [{ userId: "\ud800" }, "invalid_user_id"],
      [{ userId: "a", sessionId: 5 }, "invalid_id"],
      [{ userId: "a", sessionId: "" }, "invalid_id"],
      [{ userId: "a", runId: 5 }, "invalid_id"],
      [{ userId: "a", metadata: [] }, "invalid_argument"],
      [{ userId: "a", user: "b" }, "invalid_argument"],
      [null, "invalid_argument"],
      ["alice", "invalid_argument"],
    ];
    for (const [options, code] of wrong)
      expect(() => new RunContext(options as never)).toThrow(expect.objectContaining({ code }));
    expect(() => runWithContext({ userId: null }, 5 as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });
});

describe("getRunContext", () => {
  test("says whose memory a tool has before it, with and without a session", async () => {
    await using memory = resolveMemory({ backend: "inmemory", embedder: "hash", logger: false });
    const keep = () => memory.for(getRunContext().scope).remember({ input: "I like tea." });
    const kept = async (id: string) => (await memory.for({ userId: "alice" }).episodes.get(id))?.sessionId;
    const id = await runWithContext({ userId: "alice", sessionId: "s" }, keep);
    expect(await kept(id)).toBe("s");
    expect(await kept(await runWithContext({ userId: "alice" }, keep))).toBe(undefined);
    expect((await memory.for({ userId: null }).episodes.list()).items).toEqual([]);
  });

  test("outside of a run it is empty", () => {
    expect({ ...getRunContext() }).toEqual({ userId: null, sessionId: null, runId: "", metadata: {} });
  });

  test("runs that go on at the same time have a context each, and hand it on to what they start", async () => {
    const seen = async (): Promise<string | null> => {
      await setImmediate();
      return (await Promise.all([0].map(async () => getRunContext().userId)))[0] ?? null;
    };
    const users = Array.from({ length: 20 }, (_, i) => `user ${i}`);
    expect(await Promise.all(users.map((userId) => runWithContext({ userId }, seen)))).toEqual(users);
    expect(getRunContext().userId).toBe(null);
  });

  test("an inner run has its own, the outer one again afterwards, also after an error", async () => {
    await runWithContext({ userId: "outer", runId: "1" }, async () => {
      const inner = getRunContext().withOverrides({ runId: "2" });
      expect(runWithContext(inner, () => getRunContext())).toBe(inner);
      expect(getRunContext().runId).toBe("1");
      const failing = runWithContext(inner, async () => {
        await setImmediate();
        throw new Error(getRunContext().runId);
      });
      await expect(failing).rejects.toThrow("2");
      expect(getRunContext()).toMatchObject({ userId: "outer", runId: "1" });
    });
    expect(getRunContext().runId).toBe("");
  });
});
