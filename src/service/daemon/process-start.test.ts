import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { processStart } from "./process-start.ts";

test("names a process for as long as it lives, and no two alike", async () => {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"], { stdio: "pipe" });
  const pid = child.pid as number;
  const started = processStart(pid);
  expect(started).toMatch(/\d/);
  expect(processStart(pid)).toBe(started);
  expect(processStart(process.pid)).not.toBe(started);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(processStart(pid)).toBeUndefined();
});
