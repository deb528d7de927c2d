import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { serveRest } from "../../../test/support/rest-service.ts";
import { connectFlux } from "./connect-flux.ts";

/** A server that answers as the test says. */
async function answering(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const unavailable = expect.objectContaining({ code: "unavailable" });

test("a call whose answer is lost is sent again under the same operation id, and has its effect once", async () => {
  await using rest = await serveRest();
  const keys: string[] = [];
  await using client = connectFlux(rest.url, {
    fetch: async (...args) => {
      const response = await fetch(...args);
      keys.push(new Headers(args[1]?.headers).get("idempotency-key") ?? "");
      if (keys.length === 1) throw new TypeError("the connection broke");
      return response;
    },
  });
  const memory = client.for();
  const { id } = await memory.store("Alice likes tea");
  expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
  expect(await memory.get(id)).toMatchObject({ mentions: 0 });
});

test("an answer that breaks off is asked for again", async () => {
  let calls = 0;
  await using server = await answering((_, response) => {
    calls += 1;
    response.writeHead(200, { "content-type": "application/json", "content-length": "13" });
    if (calls > 1) return response.end('{"grains":[]}');
    response.write("{");
    response.socket?.destroySoon();
    return undefined;
  });
  expect(await connectFlux(server.url).for().list()).toEqual({ items: [] });
  expect(calls).toBe(2);
});

test("after its retries a call fails, and tells where nobody answered", async () => {
  let calls = 0;
  const client = connectFlux("http://127.0.0.1:7465", {
    retries: 1,
    fetch: async () => {
      calls += 1;
      throw new TypeError("fetch failed");
    },
  });
  await expect(client.for().list()).rejects.toMatchObject({
    ...{ code: "unavailable", retryable: true, message: expect.stringContaining("127.0.0.1:7465") },
  });
  expect(calls).toBe(2);
});

test("what the service refuses is not tried again, and is an error as the SDK throws it", async () => {
  await using rest = await serveRest();
  let calls = 0;
  const client = connectFlux(rest.url, {
    fetch: (...args) => {
      calls += 1;
      return fetch(...args);
    },
  });
  const error = await client
    .for()
    .update("none", { pinned: true })
    .catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "FluxError", code: "not_found", retryable: false });
  const wrong = await client
    .for()
    .store(5 as never)
    .catch((thrown) => thrown);
  expect(wrong).toBeInstanceOf(TypeError);
  expect(wrong).toMatchObject({ code: "invalid_argument", details: { issues: [{ path: "content" }] } });
  expect(calls).toBe(2);
});

test("details of an error have the names of the SDK", async () => {
  await using rest = await serveRest({ MAX_GRAINS_PER_MINUTE: 1 });
  const memory = connectFlux(rest.url).for();
  await memory.store("one");
  await expect(memory.store("two")).rejects.toMatchObject({
    ...{ code: "rate_limited", retryable: true, details: { retryAfter: expect.any(Number) } },
  });
});

test.each([
  ["another program", 200, "text/html", "<h1>Hello</h1>"],
  ["another program that fails", 500, "text/html", "<h1>Oops</h1>"],
  ["JSON that is no problem", 404, "application/problem+json", "{}"],
  ["a problem that is no JSON", 404, "application/problem+json", "{"],
  ["a redirection", 302, "text/plain", ""],
])("%s is told apart from a service", async (_, status, type, body) => {
  await using server = await answering((_, response) => {
    response.writeHead(status, { "content-type": type, location: "http://127.0.0.1:1/" }).end(body);
  });
  await expect(connectFlux(server.url, { retries: 0 }).for().list()).rejects.toEqual(unavailable);
});

test("a code that this version does not know is no code", async () => {
  await using server = await answering((_, response) => {
    const problem = { code: "toString", detail: "x", retryable: true };
    response.writeHead(418, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  });
  await expect(connectFlux(server.url).for().list()).rejects.toMatchObject({
    ...{ code: "unavailable", message: "The service failed with toString", retryable: true },
  });
});

test("an answer that does not come ends with a time-out", async () => {
  await using server = await answering(() => undefined);
  await expect(connectFlux(server.url, { timeout: 20 }).for().list()).rejects.toMatchObject({
    ...{ code: "timeout", retryable: true },
  });
});

test("a body that does not come ends with a time-out as well", async () => {
  await using server = await answering((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  });
  const client = connectFlux(server.url, { timeout: 200 });
  await expect(client.for().list()).rejects.toMatchObject({ code: "timeout" });
});

test("an aborted call rejects with the reason of its signal", async () => {
  const called = Promise.withResolvers<void>();
  await using server = await answering(() => called.resolve());
  const controller = new AbortController();
  const call = connectFlux(server.url).for().list({ signal: controller.signal });
  await called.promise;
  controller.abort("enough");
  await expect(call).rejects.toBe("enough");
  await expect(connectFlux(server.url).for().list({ signal: controller.signal })).rejects.toBe("enough");
});

test("a call that waits to be sent again can be aborted", async () => {
  const controller = new AbortController();
  const client = connectFlux("http://127.0.0.1:7465", {
    retries: 10,
    fetch: async () => {
      controller.abort("enough");
      throw new TypeError("fetch failed");
    },
  });
  await expect(client.for().list({ signal: controller.signal })).rejects.toBe("enough");
});

test("a client that is closed waits for calls under way and takes no more", async () => {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using server = await answering(async (_, response) => {
    called.resolve();
    await answer.promise;
    response.writeHead(200, { "content-type": "application/json" }).end('{"grains":[]}');
  });
  const client = connectFlux(server.url);
  const call = client.for().list();
  await called.promise;
  const closed = client.close();
  answer.resolve();
  expect(await call).toEqual({ items: [] });
  await closed;
  await expect(client.for().list()).rejects.toMatchObject({ code: "closed" });
  await client.close();
});

test("a client closes when its signal is aborted", async () => {
  const client = connectFlux("http://127.0.0.1:7465", { signal: AbortSignal.abort() });
  await expect(client.status()).rejects.toMatchObject({ code: "closed" });
});

test.each([
  ["not a url", "invalid_url"],
  ["file:///etc/passwd", "invalid_url"],
  ["http://user:password@127.0.0.1:7465", "invalid_url"],
  ["http://127.0.0.1:7465/users/alice", "invalid_url"],
  ["http://127.0.0.1:7465/?user=alice", "invalid_url"],
])("address %s is refused", (url, code) => {
  expect(() => connectFlux(url)).toThrow(expect.objectContaining({ code }));
});

test.each([
  [{ timeout: 0 }, "invalid_argument"],
  [{ retries: 1.5 }, "invalid_argument"],
  [{ retry: 1 }, "invalid_argument"],
  [{ fetch: 5 }, "invalid_argument"],
  [{ signal: {} }, "invalid_argument"],
  [null, "invalid_argument"],
])("options %j are refused", (options, code) => {
  expect(() => connectFlux("http://127.0.0.1:7465", options as never)).toThrow(
    expect.objectContaining({ code }),
  );
});

test.each([
  [{ userId: 5 }, "invalid_user_id"],
  [{ userId: undefined }, "invalid_user_id"],
  [{ userId: "\ud800" }, "invalid_user_id"],
  [{ sessionId: "\udc00" }, "invalid_id"],
  [{ user: "alice" }, "invalid_argument"],
])("scope %j is refused", (scope, code) => {
  const client = connectFlux("http://127.0.0.1:7465");
  expect(() => client.for(scope as never)).toThrow(expect.objectContaining({ code }));
});

test.each([
  { metadata: { at: new Date(0) } },
  { metadata: { n: Number.NaN } },
  { metadata: { f: () => 1 } },
  { metadata: { m: new Map() } },
  { metadata: { b: 1n } },
  { metadata: { l: ["a", undefined] } },
])("what JSON would lose is refused, not sent otherwise: %o", async (options) => {
  const client = connectFlux("http://127.0.0.1:7465", { fetch: () => Promise.reject(new Error("sent")) });
  await expect(client.for().store("a", options as never)).rejects.toMatchObject({ code: "invalid_argument" });
});

test("a caller of the scope takes the place of that of the client", async () => {
  const sent: Headers[] = [];
  const client = connectFlux("http://127.0.0.1:7465", {
    ...{ client: "böt", role: "chat", retries: 0 },
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers));
      throw new TypeError("fetch failed");
    },
  });
  for (const scope of [{}, { caller: { client: "other" } }, { caller: "third:test" }])
    await expect(client.for(scope).list()).rejects.toEqual(unavailable);
  const of = (name: string) => sent.map((headers) => headers.get(name));
  expect(of("x-flux-client")).toEqual(["b%C3%B6t", "other", null]);
  expect(of("x-flux-role")).toEqual(["chat", null, null]);
  expect(of("x-caller-id")).toEqual([null, null, "third%3Atest"]);
});
