import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { FluxError } from "../../model/errors.ts";
import { fileLog, logTo } from "./daemon-log.ts";

const folder = temporaryFolder();

test("a line has its time, level, event and fields, whatever is in them", () => {
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line));
  log.info("started", { url: "http://127.0.0.1:1", left: undefined, odd: 'a "b"\n\u0000' });
  expect(lines).toEqual([expect.stringMatching(/^\S+Z info started url="http:\/\/127.0.0.1:1" odd=".*"\n$/)]);
  expect(lines.join("").split("\n")).toHaveLength(2);
});

test("messages of our own errors are told, those of others may hold anything and are not", () => {
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line));
  log.error("failed", new FluxError("storage_full", "The disk is full"));
  log.error("failed", Object.assign(new Error("Alice is allergic to nuts"), { code: "EIO" }));
  log.error("failed", "Alice is allergic to nuts");
  expect(lines.join("")).not.toContain("Alice");
  expect(lines).toEqual([
    expect.stringContaining('code="storage_full" message="The disk is full"'),
    expect.stringContaining('name="Error" code="EIO" at="at '),
    expect.stringContaining('thrown="string"'),
  ]);
});

test("a file that has become long is kept once and begun anew", () => {
  const file = folder.path("daemon.log");
  const log = fileLog(file, { maxBytes: 200 });
  for (let i = 0; i < 50; i++) log.info("tick", { i });
  expect(statSync(file).size).toBeLessThanOrEqual(200);
  expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(200);
  expect(readFileSync(file, "utf8")).toContain("i=49\n");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a folder that is gone does not stop the daemon", () => {
  const log = fileLog(`${folder.path("nothing")}/here/daemon.log`);
  expect(() => log.info("tick")).not.toThrow();
});
