import { expect, test } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { FluxError } from "../model/errors.ts";
import { callerOf, callerRoles } from "./callers.ts";

test("a caller is a client and a role, and anonymous in a chat without either", () => {
  expect(callerOf({ client: "codex", role: "memory_writer" })).toEqual({
    ...{ client: "codex", role: "memory_writer", id: "codex:memory_writer" },
  });
  expect(callerOf({ client: "codex" }).id).toBe("codex:chat");
  expect(callerOf({ role: "system" }).id).toBe("anonymous:system");
  expect(callerOf().id).toBe("anonymous:chat");
  for (const role of callerRoles) expect(callerOf({ role }).role).toBe(role);
});

test("the older form is parted at its last colon, and gives what is not given by itself", () => {
  expect(callerOf({ callerId: "local-agent-1:chat" })).toEqual(callerOf({ client: "local-agent-1" }));
  expect(callerOf({ callerId: "codex" }).id).toBe("codex:chat");
  expect(callerOf({ callerId: "urn:agent:7:test" })).toMatchObject({ client: "urn:agent:7", role: "test" });
  expect(callerOf({ callerId: "codex:chat", role: "admin" }).id).toBe("codex:admin");
  expect(callerOf({ callerId: "codex:chat", client: "claude" }).id).toBe("claude:chat");
  for (const { id } of [callerOf({ client: "a:b", role: "test" }), callerOf({ client: "日本語" })]) {
    expect(callerOf({ callerId: id }).id).toBe(id);
  }
});

test("nothing is made alike: two spellings are two clients", () => {
  expect(callerOf({ client: "Codex" }).id).not.toBe(callerOf({ client: "codex" }).id);
  expect(callerOf({ client: "my bot" }).client).toBe("my bot");
});

test("a role that is not known is refused with the list of roles", () => {
  for (const role of ["Chat", "memory-writer", "", "chat ", "__proto__", "owner"]) {
    expect(() => callerOf({ role } as never)).toThrow(
      expect.objectContaining({ code: "invalid_argument", hint: `Roles: ${callerRoles.join(", ")}.` }),
    );
  }
  expect(() => callerOf({ callerId: "urn:agent" })).toThrow(/no role/);
  expect(() => callerOf({ callerId: "codex:" })).toThrow(/no role/);
});

test("clients that could be taken for another, or are too long, are refused, and what is no string too", () => {
  const bad = [
    "",
    " codex",
    "codex ",
    "a\nb",
    "a\tb",
    "a\0b",
    "a\u2028b",
    "\ud800",
    "a\u009bb",
    "x".repeat(101),
  ];
  for (const client of bad) expect(() => callerOf({ client })).toThrow(FluxError);
  expect(() => callerOf({ callerId: ":chat" })).toThrow(FluxError);
  expect(callerOf({ client: "x".repeat(100) }).client).toHaveLength(100);
  for (const value of [5, null, {}, [], true]) {
    for (const property of ["client", "role", "callerId"]) {
      expect(() => callerOf({ [property]: value } as never)).toThrow(TypeError);
    }
  }
  expect(() => callerOf({ name: "codex" } as never)).toThrow(/not known/);
  expect(() => callerOf("codex:chat" as never)).toThrow(TypeError);
});

test("whatever is accepted makes an id that a memory takes", () => {
  for (const client of hostileTexts) {
    try {
      expect(callerOf({ client }).id).toBe(`${client}:chat`);
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_argument" });
    }
  }
});
