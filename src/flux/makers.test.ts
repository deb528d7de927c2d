import { expect, test, vi } from "vitest";
import type { Space } from "../store/search.ts";
import { createAnalyser } from "../text/analyser.ts";
import { Makers } from "./makers.ts";

vi.mock(import("../text/analyser.ts"), { spy: true });

test("an id that is no analyser of this package is looked for once", () => {
  const makers = new Makers();
  const space = { kind: "lexical", maker: "letters/1" } as Space;
  expect(makers.has(space)).toBe(false);
  const built = vi.mocked(createAnalyser).mock.calls.length;
  expect(built).toBeGreaterThan(0);
  expect(makers.has(space)).toBe(false);
  expect(createAnalyser).toHaveBeenCalledTimes(built);
  const letters = { id: "letters/1", analyse: createAnalyser().analyse };
  makers.add({ analyser: letters });
  expect(makers.analyser("letters/1")).toBe(letters);
});
