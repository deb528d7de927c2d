/** The interface as a shell uses it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { debianProgram } from "../servers/debian-program.ts";
import { serveRest } from "../support/rest-service.ts";

const run = promisify(execFile);
let program: string;

beforeAll(async () => {
  program = await debianProgram("curl");
}, 300_000);

async function curl(...args: string[]): Promise<string> {
  return (await run(program, ["--silent", "--show-error", "--max-time", "120", ...args])).stdout;
}

const json = ["-H", "content-type: application/json"];

test("a text is stored, found, rated and deleted", async () => {
  await using rest = await serveRest();
  const base = `${rest.url}/users/alice`;
  const store = '{"content":"Alice is allergic to nuts","provenance":"user_stated"}';
  const stored = JSON.parse(await curl(...json, "-d", store, `${base}/store`));
  const found = JSON.parse(await curl(...json, "-d", '{"query":"nuts"}', `${base}/retrieve`));
  expect(found.grains[0]).toMatchObject({ id: stored.grain_id, content: "Alice is allergic to nuts" });
  const feedback = JSON.stringify({ trace_id: found.trace_id, grain_id: stored.grain_id, useful: true });
  expect(JSON.parse(await curl(...json, "-d", feedback, `${base}/feedback`))).toMatchObject({
    status: "recorded",
  });
  const path = `${base}/grains/${stored.record_id}`;
  const head = await curl("-I", path);
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  const [, etag = ""] = /etag: ("\d+")/i.exec(head) ?? [];
  const patched = await curl(
    "-X",
    "PATCH",
    ...json,
    "-H",
    `if-match: ${etag}`,
    "-d",
    '{"pinned":true}',
    path,
  );
  expect(JSON.parse(patched)).toMatchObject({ pinned: true });
  expect(JSON.parse(await curl("-X", "DELETE", path))).toMatchObject({ id: stored.record_id });
  expect(await curl("-o", "/dev/null", "-w", "%{http_code}", path)).toBe("404");
  expect(JSON.parse(await curl("-X", "POST", `${path}/undo`))).toMatchObject({ pinned: true });
});

test("a form, which curl sends by default, is refused with what to do", async () => {
  await using rest = await serveRest();
  expect(JSON.parse(await curl("-d", '{"content":"a"}', `${rest.url}/store`))).toMatchObject({
    ...{ status: 415, detail: expect.stringContaining("application/json") },
  });
});

test("what is exported is imported elsewhere, without a file in between", async () => {
  await using from = await serveRest();
  await using to = await serveRest();
  const texts = ["tea 我喜欢 🎉", 'a "quote"', "line\nbreak"];
  await from.service.for({ userId: "a" }).storeBatch(texts.map((text) => ({ text })));
  const { stdout } = await run("sh", [
    "-c",
    `"$0" -sS "$1" | "$0" -sS -H 'content-type: application/x-ndjson' --data-binary @- "$2"`,
    ...[program, `${from.url}/users/a/export`, `${to.url}/users/b/import`],
  ]);
  expect(JSON.parse(stdout)).toEqual({ stored: 3, mentioned: 0, expired: 0, conflicts: 0 });
  const { items } = await to.service.for({ userId: "b" }).list({ order: "oldest" });
  expect(items.map(({ text }) => text)).toEqual(texts);
});
