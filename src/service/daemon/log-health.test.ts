import { expect, test } from "vitest";
import type { ServiceEvent, ServiceHealth } from "../service-types.ts";
import { logTo } from "./daemon-log.ts";
import { logHealth } from "./log-health.ts";

test("the log tells how the service is, when that has changed, and nothing of what else it does", async () => {
  const lines: string[] = [];
  const seen = (status: ServiceHealth["status"], ...codes: string[]): ServiceEvent => {
    const warnings = codes.map((code) => ({ code, reason: "in words" }));
    const calls = { reads: { running: 0, waiting: 0 }, writes: { waiting: 0 } };
    return {
      type: "health",
      at: 0,
      health: { status, warnings, operatingMode: "caller_extracts", ...calls },
    };
  };
  async function* events(): AsyncGenerator<ServiceEvent> {
    yield { type: "stored", at: 0, caller: "codex:chat", grainIds: ["g"] };
    yield seen("healthy");
    yield seen("healthy");
    yield seen("healthy", "embedder_failed", "work_failed");
    yield seen("unhealthy", "store_unavailable");
    yield { type: "retrieved", at: 0, grainIds: [] };
    yield seen("unhealthy", "store_unavailable");
    yield seen("healthy");
  }
  await logHealth(
    events(),
    logTo((line) => lines.push(line)),
  );
  expect(lines.map((line) => line.trimEnd().slice(line.indexOf(" ") + 1))).toEqual([
    'info health status="healthy"',
    'info health status="healthy" warnings="embedder_failed work_failed"',
    'info health status="unhealthy" warnings="store_unavailable"',
    'info health status="healthy"',
  ]);
});
