import { afterAll, beforeAll, describe, test } from "vitest";
import type { ScopeOptions } from "../../src/flux/scope.ts";
import { mcpMemory } from "../support/mcp-memory.ts";
import { serveMcpInProcess } from "../support/mcp-service.ts";
import { allProbes } from "./all-probes.ts";
import { runProbe } from "./probe.ts";

let mcp: Awaited<ReturnType<typeof serveMcpInProcess>>;

beforeAll(async () => {
  const limits = { MAX_GRAINS_PER_MINUTE: 1_000_000, FEEDBACK_ENFORCEMENT_ENABLED: false };
  mcp = await serveMcpInProcess({ config: { EMBEDDER: "static", TOP_K: 10, ...limits } });
});

afterAll(() => mcp[Symbol.asyncDispose]());

describe.each(Object.entries(allProbes))("%s", (_group, probes) => {
  test.for(probes)("$name", async (probe, { skip }) => {
    const missing: string[] = [];
    const open = async (scope: ScopeOptions) => mcpMemory(mcp.call, scope, (what) => missing.push(what));
    try {
      await runProbe(probe, { open });
    } catch (error) {
      if (missing.length === 0) throw error;
      skip(`MCP has no tool for ${missing.join(", ")}`);
    }
  });
});
