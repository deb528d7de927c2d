import { once } from "node:events";
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { connected, raw, send } from "../../../test/support/raw-http.ts";
import { serveRest } from "../../../test/support/rest-service.ts";
import { createApp } from "./app.ts";
import { serve } from "./serve.ts";

test("an app is reached on a free port of this machine", async () => {
  await using rest = await serveRest();
  const { url, port } = rest.server;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${url}/grains`)).status).toBe(200);
  expect((await fetch(`http://localhost:${port}/grains`)).status).toBe(200);
});

test("a port is free again once the server is closed, which may be done twice", async () => {
  await using rest = await serveRest();
  const port = await freePort();
  const server = await serve(rest.app, { port });
  expect((await fetch(`${server.url}/grains`)).status).toBe(200);
  await server.close();
  await server.close();
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
  const server = await serve(rest.app, { port: await freePort(), signal: controller.signal });
  controller.abort();
  await server.close();
  await expect(fetch(`${server.url}/grains`)).rejects.toThrow();
  await expect(serve(rest.app, { port: 0, signal: controller.signal })).rejects.toThrow();
  const meanwhile = new AbortController();
  const begun = serve(rest.app, { port: 0, signal: meanwhile.signal });
  meanwhile.abort(new Error("no longer wanted"));
  await expect(begun).rejects.toThrow("no longer wanted");
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
  for (const [path, type] of [
    ["/store", "application/json"],
    ["/import", "application/x-ndjson"],
  ]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\n`;
    (await connected(port, `${head}Content-Length: 50\r\n\r\n{`)).resetAndDestroy();
  }
  const reader = await connected(port, `GET /export HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(reader, "data");
  reader.resetAndDestroy();
  // Closes once the calls have ended.
  await rest.server.close();
  expect(told).toEqual([]);
});

test("a connection over which nothing was asked does not keep the server from closing", async () => {
  await using rest = await serveRest();
  const server = await serve(rest.app, { port: 0, drain: 1_000_000 });
  const socket = await connected(server.port);
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
    JSON.parse(
      await (await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })).text(),
    );
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
    return new Promise<never>(() => undefined);
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
