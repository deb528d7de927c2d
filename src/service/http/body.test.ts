import { request } from "node:http";
import { expect, test } from "vitest";
import { json, raw, send } from "../../../test/support/raw-http.ts";
import { restCaller } from "../../../test/support/rest-caller.ts";
import { openRest, serveRest } from "../../../test/support/rest-service.ts";

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json5",
  "text/json",
  "application/json; charset=latin1",
  "application/problem+json",
])("a body of the type %s is refused: a web page could send it, or it is no JSON", async (type) => {
  await using rest = await openRest();
  const { status, body } = await restCaller(rest.app).post(
    "/store",
    { content: "a" },
    { "content-type": type },
  );
  expect([status, body.status]).toEqual([415, 415]);
});

test("where no body belongs, none is needed and none is lost", async () => {
  await using rest = await openRest();
  const { call, post } = restCaller(rest.app);
  const path = `/grains/${(await post("/store", { content: "a" })).body.record_id}`;
  const json = { "content-type": "application/json" };
  expect((await call("POST", `${path}/archive`)).status).toBe(200);
  expect((await call("POST", `${path}/undo`, "", json)).status).toBe(200);
  expect((await call("POST", `${path}/archive`, { undo: true })).status).toBe(400);
  expect((await call("DELETE", path, { erase: true })).status).toBe(400);
  expect((await call("DELETE", `${path}?erase=true`)).status).toBe(400);
  expect((await call("DELETE", path)).status).toBe(200);
  expect((await call("DELETE", path)).status).toBe(404);
});

test("JSON may name its character set", async () => {
  await using rest = await openRest();
  const more = { "content-type": "application/json; charset=UTF-8" };
  expect((await restCaller(rest.app).post("/store", { content: "a" }, more)).status).toBe(200);
});

test("JSON that nests deep is refused, not crashed over", async () => {
  await using rest = await openRest();
  const { post } = restCaller(rest.app);
  const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
  expect((await post("/store", deep)).status).toBe(400);
  expect((await post("/store", `{"content":"a","metadata":{"a":${deep}}}`)).status).toBe(400);
  const filter = `${'{"not":'.repeat(10_000)}{}${"}".repeat(10_000)}`;
  expect((await post("/retrieve", `{"query":"a","filter":${filter}}`)).status).toBe(400);
  const message = `{"role":"tool","content":"a","session_id":"s","tool_calls":${deep}}`;
  expect((await post("/store", message)).status).toBe(400);
});

test("a body over the limit is refused, declared or not, and nothing of it is stored", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const lines = ["POST /store HTTP/1.1", `Host: 127.0.0.1:${port}`, json];
  const declared = [...lines, "Content-Length: 999999999", "Connection: close"].join("\r\n");
  expect(await send(port, `${declared}\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413/);
  const response = await new Promise<number>((resolve, reject) => {
    const call = request(`${rest.url}/store`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    call.on("response", ({ statusCode = 0 }) => resolve(statusCode));
    // The server stops reading, which may break the connection under the writer.
    call.on("error", (error) => ("code" in error && error.code === "EPIPE" ? undefined : reject(error)));
    for (let i = 0; i < 40; i++) call.write(" ".repeat(2 ** 20));
    call.end("{}");
  });
  expect(response).toBe(413);
});

test("a body of very many values is refused before it is parsed, one of much text is not", async () => {
  await using rest = await openRest();
  const { post } = restCaller(rest.app);
  const many = (value: string): string => `[${`${value},`.repeat(100_000)}${value}]`;
  const bodies = [
    `{"items":${many("{}")}}`,
    `{"content":"a","metadata":{"tags":${many('"\\""')}}}`,
    // Not even JSON.
    `${many('""')}{`,
  ];
  for (const body of bodies) {
    const answer = await post("/store", body);
    expect([answer.status, answer.body.code]).toEqual([413, "too_large"]);
    expect(answer.body.detail).toContain("100000 JSON values");
  }
  const commas = String.raw`,[{\"\\`.repeat(100_000);
  expect((await post("/store", `{"content":"${commas}"}`)).status).toBe(200);
  const tags = Array.from({ length: 99_000 }, () => 0);
  const answer = await post("/store", { role: "assistant", session_id: "s", content: "", tool_calls: tags });
  expect(answer.status).toBe(200);
});

test("a body that is not UTF-8 is refused", async () => {
  await using rest = await serveRest();
  const response = await fetch(`${rest.url}/store`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.concat([Buffer.from('{"content":"'), Buffer.of(0xff), Buffer.from('"}')]),
  });
  expect(response.status).toBe(400);
});

test("a body without a type is refused", async () => {
  await using rest = await serveRest();
  const lines = [`Host: 127.0.0.1:${rest.server.port}`];
  expect(await send(rest.server.port, raw("POST /store HTTP/1.1", lines, "{}"))).toMatch(/^HTTP\/1.1 415/);
});

test("a body that does not come is not waited for", async () => {
  await using rest = await serveRest({}, { bodyTimeout: 20 });
  const head = ["POST /store HTTP/1.1", `Host: 127.0.0.1:${rest.server.port}`, json, "Content-Length: 100"];
  expect(await send(rest.server.port, `${head.join("\r\n")}\r\n\r\n{"content":`)).toMatch(/^HTTP\/1.1 408/);
});
