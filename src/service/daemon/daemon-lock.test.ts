import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { DaemonLock } from "./daemon-lock.ts";

const folder = temporaryFolder();

/** Another process that takes the lock, tells so, and lives until it is killed. */
async function holder(file: string) {
  const program = `
    const { DaemonLock } = await import(${JSON.stringify(import.meta.resolve("./daemon-lock.ts"))});
    globalThis.lock = DaemonLock.take(${JSON.stringify(file)});
    process.stdin.resume();
    console.log(lock !== undefined);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "pipe" });
  const [said] = await once(child.stdout, "data");
  return { took: String(said).trim() === "true", child };
}

test("one process has it at a time, and whoever looks takes nothing", async () => {
  const file = folder.path("daemon.lock");
  expect(DaemonLock.isTaken(file)).toBe(false);
  const { took, child } = await holder(file);
  expect(took).toBe(true);
  expect(DaemonLock.isTaken(file)).toBe(true);
  expect(DaemonLock.take(file)).toBeUndefined();
  expect((await holder(file)).took).toBe(false);
  child.kill("SIGKILL");
});

test("a process that was killed leaves it free", async () => {
  const file = folder.path("daemon.lock");
  const { child } = await holder(file);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(DaemonLock.isTaken(file)).toBe(false);
  using lock = DaemonLock.take(file);
  expect(lock?.stands()).toBe(true);
});

test("the same process does not get it twice, and what is released is free", () => {
  const file = folder.path("daemon.lock");
  const lock = DaemonLock.take(file);
  expect(DaemonLock.take(file)).toBeUndefined();
  expect(DaemonLock.isTaken(file)).toBe(true);
  lock?.release();
  expect(DaemonLock.isTaken(file)).toBe(false);
});

test("knows when its file was removed or replaced", () => {
  const file = folder.path("daemon.lock");
  using first = DaemonLock.take(file);
  rmSync(file);
  expect(first?.stands()).toBe(false);
  using second = DaemonLock.take(file);
  expect([first?.stands(), second?.stands()]).toEqual([false, true]);
});

test.skipIf(process.platform === "win32")("nobody else can open it", () => {
  const file = folder.path("daemon.lock");
  using _lock = DaemonLock.take(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
