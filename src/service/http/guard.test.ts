import { expect, test } from "vitest";
import { json, raw, send } from "../../../test/support/raw-http.ts";
import { serveRest } from "../../../test/support/rest-service.ts";

test.each([
  ["evil.example", 421],
  ["evil.example:PORT", 421],
  ["127.0.0.1.evil.example:PORT", 421],
  ["localhost.:PORT", 421],
  ["localhost", 421],
  ["localhost:1", 421],
  ["127.0.0.1:PORT", 200],
  ["LOCALHOST:PORT", 200],
  ["127.9.9.9:PORT", 200],
  ["[::1]:PORT", 200],
  ["user@127.0.0.1:PORT", 400],
  ["127.0.0.1:PORT/x", 400],
  ["", 400],
])("Host %s: %i", async (host, status) => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const answer = await send(
    port,
    raw("GET /grains HTTP/1.1", [`Host: ${host.replace("PORT", String(port))}`]),
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test("an absolute target is held to the same rule as the Host", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const host = `Host: 127.0.0.1:${port}`;
  expect(await send(port, raw("GET http://evil.example/grains HTTP/1.1", ["Host: evil.example"]))).toMatch(
    /^HTTP\/1.1 421/,
  );
  expect(await send(port, raw(`GET http://127.0.0.1:${port}/grains HTTP/1.1`, [host]))).toMatch(
    /^HTTP\/1.1 200/,
  );
  for (const other of ["evil.example", `evil@127.0.0.1:${port}`, `localhost:${port}`])
    expect(await send(port, raw(`GET http://${other}/grains HTTP/1.1`, [host]))).toMatch(/^HTTP\/1.1 400/);
});

test.each([
  { origin: "http://evil.example" },
  { origin: "null" },
  { origin: "https://127.0.0.1:PORT" },
  { origin: "http://127.0.0.1:1" },
  { origin: "http://localhost:PORT" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" },
])("a web page of another origin is refused: %j", async (headers) => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value.replace("PORT", String(port))}`,
  );
  const answer = await send(port, raw("GET /grains HTTP/1.1", [`Host: 127.0.0.1:${port}`, ...lines]));
  expect(answer).toMatch(/^HTTP\/1.1 403/);
  expect(answer).not.toMatch(/access-control/i);
});

test("a page of its own, and a link that is followed, are let in", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const host = `Host: 127.0.0.1:${port}`;
  const own = [host, `Origin: http://127.0.0.1:${port}`, "Sec-Fetch-Site: same-origin"];
  expect(await send(port, raw("GET /grains HTTP/1.1", own))).toMatch(/^HTTP\/1.1 200/);
  const link = [host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
  expect(await send(port, raw("GET /docs HTTP/1.1", link))).toMatch(/^HTTP\/1.1 200/);
  for (const path of ["/export", "/grains", "/events", "/users/alice/export"])
    expect(await send(port, raw(`GET ${path} HTTP/1.1`, link))).toMatch(/^HTTP\/1.1 403/);
});

test("no page is allowed to ask beforehand", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const lines = [
    `Host: 127.0.0.1:${port}`,
    "Origin: http://evil.example",
    "Access-Control-Request-Method: POST",
  ];
  const answer = await send(port, raw("OPTIONS /store HTTP/1.1", lines));
  expect(answer).toMatch(/^HTTP\/1.1 403/);
  expect(answer).not.toMatch(/access-control/i);
});

test.each([
  "X-Flux-User",
  "X-Flux-Client",
  "X-Caller-Id",
  "Idempotency-Key",
  "If-Match",
  "Content-Type",
  "Host",
])("header %s is refused when it is there twice", async (name) => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const value = { Host: `127.0.0.1:${port}`, "Content-Type": "application/json" }[name] ?? "a";
  const others = name === "Host" ? [] : [`Host: 127.0.0.1:${port}`];
  const lines = [...others, `${name}: ${value}`, `${name.toLowerCase()}: ${value}`];
  const answer = await send(port, raw("POST /store HTTP/1.1", [...lines, json], '{"content":"a"}'));
  expect(answer).toMatch(/^HTTP\/1.1 400/);
});

test.each(["/users/../store", "/users/%2e%2E/store", "/users/./store", "/grains/..", "/users\\..\\store"])(
  "%s is refused, since it would be read as another path",
  async (path) => {
    await using rest = await serveRest();
    const { port } = rest.server;
    const lines = [`Host: 127.0.0.1:${port}`, json];
    const answer = await send(port, raw(`POST ${path} HTTP/1.1`, lines, '{"content":"a"}'));
    expect(answer).toMatch(/^HTTP\/1.1 400/);
  },
);

test("a path that is not percent-encoded is refused, since its bytes would name another user", async () => {
  await using rest = await serveRest();
  const head = raw("POST /users/böb/store HTTP/1.1", [`Host: 127.0.0.1:${rest.server.port}`, json], "{}");
  expect(await send(rest.server.port, head)).toMatch(/^HTTP\/1.1 400/);
});

test("dots in a query are nothing special", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const answer = await send(port, raw("GET /grains?session_id=/../ HTTP/1.1", [`Host: 127.0.0.1:${port}`]));
  expect(answer).toMatch(/^HTTP\/1.1 200/);
});
