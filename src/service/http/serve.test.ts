import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { serveRest } from "../../../test/support/rest-service.ts";
import { createApp } from "./app.ts";
import { serve } from "./serve.ts";

/** Sends bytes as they are, and returns all that comes back. The server closes the connection, or the test's time is up. */
async function send(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  const answer = await text(socket);
  return answer;
}

/** A request with a body, after which the server closes the connection. */
function raw(line: string, headers: readonly string[], body = ""): string {
  return `${[line, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

const json = "Content-Type: application/json";

test("an app is reached on a free port of this machine, and the port is free again afterwards", async () => {
  await using rest = await serveRest();
  const { url, port } = rest.server;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${url}/grains`)).status).toBe(200);
  expect((await fetch(`http://localhost:${port}/grains`)).status).toBe(200);
  await rest.server.close();
  await rest.server.close();
  const again = await serve(rest.app, { port });
  await again.close();
});

test("a port that is taken is told as such", async () => {
  await using rest = await serveRest();
  await expect(serve(rest.app, { port: rest.server.port })).rejects.toMatchObject({ code: "port_in_use" });
});

test.each(["0.0.0.0", "::", "192.168.1.5", "example.org", ""])("host %s is refused", async (host) => {
  await expect(serve(new Hono(), { host, port: 0 })).rejects.toMatchObject({ code: "invalid_argument" });
});

test.each([{ port: 65_536 }, { port: "80" }, { port: 0, drain: -1 }, { port: 0, signal: {} }, { prot: 0 }])(
  "nothing is served with %j",
  async (options) => {
    await expect(serve(new Hono(), options as never)).rejects.toMatchObject({ code: "invalid_argument" });
  },
);

test("::1 is loopback as well", async () => {
  await using rest = await serveRest();
  // Not every machine has IPv6.
  const server = await serve(rest.app, { host: "::1", port: 0 }).catch((error) => error);
  if (server instanceof Error) return expect(server).toMatchObject({ code: "unavailable" });
  expect((await fetch(`${server.url}/grains`)).status).toBe(200);
  await server.close();
});

test("the server closes when its signal is aborted", async () => {
  await using rest = await serveRest();
  const controller = new AbortController();
  const server = await serve(rest.app, { port: 0, signal: controller.signal });
  controller.abort();
  await server.close();
  await expect(fetch(`${server.url}/grains`)).rejects.toThrow();
  await expect(serve(rest.app, { port: 0, signal: controller.signal })).rejects.toThrow();
  const meanwhile = new AbortController();
  const begun = serve(rest.app, { port: 0, signal: meanwhile.signal });
  meanwhile.abort(new Error("no longer wanted"));
  await expect(begun).rejects.toThrow("no longer wanted");
});

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

test("a client that goes away ends its call, and is nobody's trouble", async () => {
  const told: unknown[] = [];
  const log = vi.spyOn(console, "error");
  await using rest = await serveRest({}, { onError: (error) => told.push(error) });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const { for: open } = rest.service;
  rest.service.for = (scope) => {
    const memory = open.call(rest.service, scope);
    memory.list = ({ signal } = {}) => {
      begun.resolve();
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          reject(signal.reason);
          ended.resolve(signal.reason);
        });
      });
    };
    return memory;
  };
  const controller = new AbortController();
  const call = fetch(`${rest.url}/grains`, { signal: controller.signal });
  await begun.promise;
  controller.abort();
  await expect(call).rejects.toThrow();
  await ended.promise;
  expect((await fetch(`${rest.url}/onboard`)).status).toBe(200);
  expect([told, log.mock.calls]).toEqual([[], []]);
  log.mockRestore();
});

test("a body or an export that breaks off is nobody's trouble", async () => {
  const told: unknown[] = [];
  await using rest = await serveRest({}, { onError: (error) => told.push(error) });
  await rest.service
    .for()
    .storeBatch(Array.from({ length: 90 }, (_, i) => ({ text: `${i}`.repeat(50_000) })));
  const { port } = rest.server;
  const closed = async (...parts: string[]) => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    for (const part of parts) socket.write(part);
    return socket;
  };
  for (const [path, type] of [
    ["/store", "application/json"],
    ["/import", "application/x-ndjson"],
  ]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\n`;
    (await closed(`${head}Content-Length: 50\r\n\r\n{`)).resetAndDestroy();
  }
  const reader = await closed(`GET /export HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(reader, "data");
  reader.resetAndDestroy();
  // Closes once the calls have ended.
  await rest.server.close();
  expect(told).toEqual([]);
});

test("a connection over which nothing was asked does not keep the server from closing", async () => {
  await using rest = await serveRest();
  const server = await serve(rest.app, { port: 0, drain: 1_000_000 });
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  const ended = once(socket, "close");
  socket.resume();
  await fetch(`${server.url}/onboard`);
  await server.close();
  await ended;
});

test("C3: REST by the names of the wire, callers by headers", async () => {
  await using rest = await serveRest({ EMBEDDER: "static" });
  const base = `http://localhost:${rest.server.port}`;
  const headers = {
    "content-type": "application/json",
    "X-Flux-Client": "local-agent-1",
    "X-Flux-Role": "chat",
  };
  const post = async (path: string, body: unknown) =>
    // biome-ignore lint/suspicious/noExplicitAny: as a user would write it
    (await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })).json() as any;
  const { grain_id } = await post("/store", {
    ...{ content: "Alice is allergic to nuts", provenance: "user_stated" },
  });
  await post("/store/batch", { items: [{ content: "Bob likes tea" }] });
  const { trace_id, grains } = await post("/retrieve", { query: "allergies" });
  expect(grains[0].id).toBe(grain_id);
  const feedback = { trace_id, grain_id: grains[0].id, useful: grains[0].id === grain_id };
  expect(await post("/feedback", feedback)).toMatchObject({ status: "recorded" });
  expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ status: "healthy" });
  expect(await (await fetch(`${base}/grains?status=active&limit=50`)).json()).toMatchObject({
    grains: [{ content: "Bob likes tea" }, { content: "Alice is allergic to nuts" }],
  });
  const older = { "content-type": "application/json", "X-Caller-Id": "local-agent-1:chat" };
  const body = JSON.stringify(feedback);
  const again = await fetch(`${base}/feedback`, { method: "POST", headers: older, body });
  expect(await again.json()).toMatchObject({ status: "unchanged" });
});

test("dots in a query are nothing special", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  const answer = await send(port, raw("GET /grains?session_id=/../ HTTP/1.1", [`Host: 127.0.0.1:${port}`]));
  expect(answer).toMatch(/^HTTP\/1.1 200/);
});

test("headers that are too large are refused", async () => {
  await using rest = await serveRest();
  const lines = [`Host: 127.0.0.1:${rest.server.port}`, `X-Flux-User: ${"a".repeat(20_000)}`];
  expect(await send(rest.server.port, raw("GET /grains HTTP/1.1", lines))).toMatch(/^HTTP\/1.1 431/);
});

test("a header among thousands counts", async () => {
  await using rest = await serveRest();
  const { port } = rest.server;
  await fetch(`${rest.url}/users/alice/store`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"content":"secret of alice"}',
  });
  const many = Array.from({ length: 3000 }, () => "a:b");
  const lines = [`Host: 127.0.0.1:${port}`, ...many, "X-Flux-User: alice"];
  expect(await send(port, raw("GET /grains HTTP/1.1", lines))).toContain("secret of alice");
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

test("what is no HTTP ends the connection", async () => {
  await using rest = await serveRest();
  expect(await send(rest.server.port, "\0\0\0\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
});

test("a request under way is answered before the server is closed", async () => {
  await using rest = await serveRest();
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { for: open } = rest.service;
  rest.service.for = (scope) => {
    const memory = open.call(rest.service, scope);
    const { list } = memory;
    memory.list = async (options) => {
      begun.resolve();
      await goOn.promise;
      return list.call(memory, options);
    };
    return memory;
  };
  const answer = fetch(`${rest.url}/grains`);
  await begun.promise;
  const closed = rest.server.close();
  goOn.resolve();
  expect((await answer).status).toBe(200);
  await closed;
});

test("a request that does not end is cut off", async () => {
  await using rest = await serveRest();
  const app = createApp(rest.service);
  const begun = Promise.withResolvers<void>();
  rest.service.onboard = () => {
    begun.resolve();
    return new Promise(() => undefined) as never;
  };
  const server = await serve(app, { port: 0, drain: 1 });
  const answer = fetch(`${server.url}/onboard`).then(
    () => "answered",
    () => "cut off",
  );
  await begun.promise;
  await server.close();
  expect(await answer).toBe("cut off");
});

test("an unknown option of the server is refused", async () => {
  await expect(serve(new Hono(), { Port: 5 } as never)).rejects.toMatchObject({ code: "invalid_argument" });
});
