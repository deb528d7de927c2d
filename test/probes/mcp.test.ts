import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScopeOptions } from "../../src/flux/scope.ts";
import { mcpMemory } from "../support/mcp-memory.ts";
import { serveMcpInProcess } from "../support/mcp-service.ts";
import { allProbes } from "./all-probes.ts";
import { type Probe, runProbe } from "./probe.ts";

/** Probes that read, change or erase single records, for which the tools of the protocol's contract have none. */
const beyondTools: readonly string[] = [
  "#27 scope names in metadata are data, and move nothing",
  "#30 #33 everything of one user is erased, and nothing of another with the same names",
  "#31 the ids of another user lead nowhere, whatever is asked of them",
  "#65 #67 a lone surrogate and a NUL are replaced and told of, and lose nothing else",
  "#66 no cut splits a character",
  "#71 200 kilobytes without a space are kept whole, and hinder nothing else",
  "#72 #73 one message of 500 kilobytes is kept, and what it says in the middle is found",
  "#76 a number is no id, and the digits of one are",
  "texts that break careless code are kept word for word",
  "#42 after an update nothing finds or shows the old text",
  "#94 a short text is found by its meaning after it was edited",
  "#107 an update keeps what it does not name",
  "#105 #110 #111 one record can be erased, and everything is when it is asked for",
];

let mcp: Awaited<ReturnType<typeof serveMcpInProcess>>;

beforeAll(async () => {
  const limits = { MAX_GRAINS_PER_MINUTE: 1_000_000, FEEDBACK_ENFORCEMENT_ENABLED: false };
  mcp = await serveMcpInProcess({ config: { EMBEDDER: "static", TOP_K: 10, ...limits } });
});

afterAll(() => mcp[Symbol.asyncDispose]());

function overMcp(probe: Probe, missing: (what: string) => void = () => undefined): Promise<void> {
  return runProbe(probe, { open: async (scope: ScopeOptions) => mcpMemory(mcp.call, scope, missing) });
}

describe.each(Object.entries(allProbes))("%s", (_group, probes) => {
  const [beyond, within] = [true, false].map((is) =>
    probes.filter(({ name }) => beyondTools.includes(name) === is),
  );
  if (within?.length) test.for(within)("$name", (probe) => overMcp(probe));
  if (beyond?.length)
    test.for(beyond)("$name: needs a tool that there is none of", async (probe) => {
      const missing: string[] = [];
      await expect(overMcp(probe, (what) => missing.push(what))).rejects.toThrow();
      expect(missing).not.toEqual([]);
    });
});
