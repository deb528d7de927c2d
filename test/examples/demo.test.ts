import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runDemo } from "../../scripts/demo/demo.ts";
import { FluxCommand } from "../../scripts/demo/flux-command.ts";
import { readConversation, readQuestions } from "./conversation.ts";

const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
const turns = readConversation().length;

let home: string;
let flux: FluxCommand;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "flux-home-"));
  vi.stubEnv("FLUX_HOME", home);
  flux = new FluxCommand(bin);
});
afterAll(async () => {
  await flux.run("stop", "--name", "demo");
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

async function demo(): Promise<string> {
  const lines: string[] = [];
  await runDemo({ bin, port: 0, write: (line) => lines.push(line) });
  return lines.join("\n");
}

/** What was found, without the figures, which change a little with everything that is stored. */
function answers(shown: string): readonly string[] {
  return shown.split("\n").filter((line) => line.startsWith("  · "));
}

async function post(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { ok } = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(ok).toBe(true);
}

/** They fit one page. */
async function storedRecords(url: string): Promise<number> {
  const response = await fetch(`${url}/grains?limit=1000`);
  return ((await response.json()) as { grains: unknown[] }).grains.length;
}

it("makes an instance, imports, asks, and does none of it twice", async () => {
  const first = await demo();
  expect(first).toContain(`Made the instance demo in ${join(home, "demo")}`);
  expect(first).toContain(`${turns} turns were stored now and 0 before`);
  const unwrapped = first.replaceAll(/\s+/g, " ");
  for (const { question, first: answer, confidence_below } of readQuestions().questions) {
    expect(unwrapped).toContain(question);
    if (answer !== undefined) expect(unwrapped).toContain(answer);
    if (confidence_below !== undefined) expect(unwrapped).toContain(`${question} confidence 0.1`);
  }
  const [, answered = ""] =
    /were stored now and 0 before\n\n([\s\S]*?)\n\nThe service goes on/.exec(first) ?? [];
  expect(readFileSync(join(import.meta.dirname, "../../README.md"), "utf8")).toContain(answered);
  const { url } = await flux.run<{ url: string }>("status", "--name", "demo");
  expect(first).toContain(`${url}/docs`);
  await post(`${url}/store`, { content: "The spare key lies under the third flower pot." });

  const second = await demo();
  expect(second).toContain("Found the instance demo");
  expect(second).toContain(`0 turns were stored now and ${turns} before`);
  expect(await storedRecords(url)).toBe(turns + 1);

  expect(answers(second)).toEqual(answers(first));

  // What its user has erased does not come back.
  const session = readConversation().filter(({ session_id }) => session_id === "2025-05-03");
  await post(`${url}/erase`, { session_id: "2025-05-03" });
  expect(await demo()).toContain("0 turns were stored now");
  expect(await storedRecords(url)).toBe(turns + 1 - session.length);
});
