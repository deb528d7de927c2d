import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { hostileTexts } from "../../../../test/support/hostile-texts.ts";
import { serveRest } from "../../../../test/support/rest-service.ts";
import type { ExportLine } from "../../../flux/export-line.ts";
import { repairText } from "../../../model/unicode.ts";
import { connectFlux } from "../../client/connect-flux.ts";

const limits = { MAX_GRAINS_PER_MINUTE: 1_000_000, MAX_GRAINS_PER_CALL: 1000 };
const ndjson = { "content-type": "application/x-ndjson" };
const header = JSON.stringify({ type: "flux-memory", version: 1, exportedAt: 0 });

/** A line of an export. */
function line(record: object): string {
  const common = { kind: "text", provenance: "user_stated", status: "active", saidAt: 1, mentions: 0 };
  return JSON.stringify({ type: "record", ...common, ...record });
}

async function importInto(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = ndjson,
) {
  const response = await fetch(`${url}/import`, { method: "POST", headers, body });
  return JSON.parse(await response.text());
}

test("what one service exports another imports, whatever is in it, and only once", async () => {
  await using from = await serveRest(limits);
  await using to = await serveRest(limits);
  const texts = hostileTexts.filter((one) => one.trim() !== "");
  const source = from.service.for({ userId: "a", sessionId: "s" });
  await source.storeBatch([
    ...texts.map((one) => ({ text: one, metadata: { someKey: one.slice(0, 20).replaceAll("\0", "") } })),
    { role: "assistant", content: "Calling.", toolCalls: [{ someName: "x" }], saidAt: 5 },
  ]);
  const response = await fetch(`${from.url}/users/a/export`);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("content-disposition")).toContain("attachment");
  const exported = await response.text();
  const distinct = new Set(texts.map(repairText)).size;
  const report = { stored: distinct + 1, mentioned: 0, expired: 0, conflicts: 0 };
  expect(await importInto(`${to.url}/users/b`, exported)).toEqual(report);
  expect(await importInto(`${to.url}/users/b`, exported)).toEqual({
    ...{ stored: 0, mentioned: report.stored, expired: 0, conflicts: 0 },
  });
  const records = async (memory: typeof source) =>
    (await memory.list({ limit: 1000, order: "oldest" })).items.map(
      ({ id: _, grainIds, version: __, recordedAt: ___, repaired: ____, ...record }) => [
        grainIds.length,
        record,
      ],
    );
  expect(await records(to.service.for({ userId: "b" }))).toEqual(await records(source));
});

test.each([
  ["no JSON", `${header}\n{`, "Line 2 is not JSON"],
  ["no header", line({ text: "a" }), "Line 1: "],
  ["another record", `${header}\n${line({ text: 5 })}`, "Line 2: "],
  ["an unknown property", `${header}\n\n${line({ text: "a", colour: 1 })}`, "Line 2: "],
  ["bytes that are no UTF-8", Uint8Array.of(0xff, 0x0a), "Line 1 is not UTF-8"],
])("an import of %s says which line it is", async (_, body, detail) => {
  await using rest = await serveRest(limits);
  expect(await importInto(rest.url, body)).toMatchObject({
    status: 400,
    detail: expect.stringContaining(detail),
  });
});

test("an import needs its own content type, which no web page can send unasked", async () => {
  await using rest = await serveRest();
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"])
    expect(await importInto(rest.url, header, { "content-type": type })).toMatchObject({
      ...{ status: 415, detail: expect.stringContaining("application/x-ndjson") },
    });
});

test("an import whose lines do not come is not waited for, and keeps what it stored", async () => {
  await using rest = await serveRest(limits, { bodyTimeout: 200 });
  const { port } = rest.server;
  const socket = connect(port, "127.0.0.1");
  const head = `POST /import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9999999\r\n\r\n`;
  const lines = Array.from({ length: 600 }, (_, i) => `${line({ text: `note ${i}` })}\n`);
  socket.write(`${head}${header}\n${lines.join("")}`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408/);
  expect((await rest.service.for().list({ limit: 1000 })).items).toHaveLength(500);
});

test("an export that fails breaks the connection instead of ending early", async () => {
  const told: unknown[] = [];
  const log = vi.spyOn(console, "error");
  await using rest = await serveRest(limits, { onError: (error) => told.push(error) });
  await using client = connectFlux(rest.url, { retries: 0 });
  const memory = rest.service.for();
  rest.service.for = () => memory;
  const failure = new Error("SELECT secret FROM text");
  const big = "x".repeat(100_000);
  memory.export = async function* () {
    yield { type: "flux-memory", version: 1, exportedAt: 0 };
    yield { type: "record", text: big } as ExportLine;
    throw failure;
  };
  const response = await fetch(`${rest.url}/export`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  const seen: string[] = [];
  const follow = async () => {
    for await (const { type } of client.for().export()) seen.push(type);
  };
  await expect(follow()).rejects.toMatchObject({ code: "unavailable" });

  expect([told, log.mock.calls]).toEqual([[failure, failure], []]);
  log.mockRestore();

  memory.export = () => {
    throw failure;
  };
  const refused = await fetch(`${rest.url}/export`);
  expect([refused.status, await refused.text()]).toEqual([500, expect.not.stringContaining("secret")]);
});

test("an export that nobody reads to its end is given up", async () => {
  await using rest = await serveRest(limits);
  const memory = rest.service.for();
  rest.service.for = () => memory;
  const ended = Promise.withResolvers<void>();
  memory.export = async function* () {
    try {
      for (;;) yield { type: "record", text: "x".repeat(100_000) } as ExportLine;
    } finally {
      ended.resolve();
    }
  };
  await using client = connectFlux(rest.url);
  for await (const { type } of client.for().export()) {
    expect(type).toBe("record");
    break;
  }
  await ended.promise;
});

test("a client's import goes in parts, tells of its progress, and numbers lines as a whole", async () => {
  await using rest = await serveRest(limits);
  const parts: (string | null)[] = [];
  await using client = connectFlux(rest.url, {
    fetch: (input, init) => {
      if (init?.method === "POST") parts.push(new Headers(init.headers).get("idempotency-key"));
      return fetch(input, init);
    },
  });
  const memory = client.for({ userId: "u" });
  const lines = [header, ...Array.from({ length: 1200 }, (_, i) => line({ text: `note ${i}` }))].map(
    (one) => JSON.parse(one) as ExportLine,
  );
  const told: number[] = [];
  const report = { stored: 1200, mentioned: 0, expired: 0, conflicts: 0 };
  const options = { operation: "import ö", onProgress: ({ stored }: typeof report) => told.push(stored) };
  expect(await memory.import(lines, options)).toEqual(report);
  expect(told).toEqual([500, 1000, 1200]);
  expect(parts).toEqual(["import%20%C3%B6%2F0", "import%20%C3%B6%2F1", "import%20%C3%B6%2F2"]);
  expect(await memory.import(lines)).toEqual({ stored: 0, mentioned: 1200, expired: 0, conflicts: 0 });
  const wrong = [...lines, { ...lines[1], text: 5 } as never];
  await expect(memory.import(wrong)).rejects.toMatchObject({
    message: expect.stringMatching(/^Line 1202: /),
  });
});

test("what rests on a record that is there under another id is restored, whatever part it is in", async () => {
  await using from = await serveRest(limits);
  await using to = await serveRest(limits);
  const source = from.service.for({ userId: "u" });
  const results = await source.storeBatch(Array.from({ length: 600 }, (_, i) => ({ text: `note ${i}` })));
  const id = results[7]?.id ?? "";
  const lines: ExportLine[] = [];
  for await (const one of source.export()) lines.push(one);
  const statement = {
    ...{ type: "record", kind: "text", id: "s", form: "statement", text: "The seventh.", status: "active" },
    ...{ provenance: "ai_inferred", saidAt: 1, mentions: 0, sources: [{ kind: "text", id }] },
  };
  await using client = connectFlux(to.url);
  const memory = client.for({ userId: "u" });
  const there = await memory.store("note 7");
  expect(await memory.import([...lines, statement as ExportLine])).toEqual({
    ...{ stored: 600, mentioned: 1, expired: 0, conflicts: 0 },
  });
  await memory.erase({ id: there.id });
  expect(await memory.get("s")).toBeUndefined();
});
