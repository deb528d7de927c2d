import { request } from "node:http";
import { expect, test } from "vitest";
import { serveRest } from "../../../../test/support/rest-service.ts";
import type { FluxEvent } from "../../../flux/flux-memory.ts";
import { FluxError } from "../../../model/errors.ts";
import { connectFlux } from "../../client/connect-flux.ts";
import { readEvents, type ServerSentEvent } from "../../protocol/event-stream.ts";
import { readBytes, readLines } from "../../protocol/lines.ts";

async function* eventsOf(response: Response): AsyncGenerator<ServerSentEvent> {
  yield* readEvents(readLines(readBytes(response.body as ReadableStream<Uint8Array>)));
}

/** The next events of a stream. */
async function take<T>(events: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

test("what changes is told as it happens, by id and never by content, and a stream goes on where another ended", async () => {
  await using rest = await serveRest();
  const memory = rest.service.for({ userId: "alice" });
  const response = await fetch(`${rest.url}/users/alice/events`);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const stream = eventsOf(response);
  const { id } = await memory.store("a secret of Alice");
  await rest.service.for({ userId: "bob" }).store("a secret of Bob");
  const first = await take(stream, 2);
  expect(first.map(({ event }) => event)).toEqual(["change", "change"]);
  const data = first.map((event) => JSON.parse(event.data));
  expect(data[0]).toEqual({ seq: expect.any(Number), kind: "text", id, operation: "insert" });
  expect(JSON.stringify(first)).not.toContain("secret");
  await stream.return(undefined);

  await memory.update(id, { pinned: true });
  const again = await fetch(`${rest.url}/users/alice/events`, {
    headers: { "last-event-id": first[0]?.lastEventId as string },
  });
  const rest2 = await take(eventsOf(again), 2);
  expect(JSON.parse(rest2[0]?.data as string)).toEqual(data[1]);
  expect(JSON.parse(rest2[1]?.data as string)).toMatchObject({ operation: "update" });
});

test("a cursor that was made up is refused", async () => {
  await using rest = await serveRest();
  const response = await fetch(`${rest.url}/events?after=nonsense`);
  expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_cursor" }]);
});

test("what goes wrong once the stream has begun is told in it, and ends it", async () => {
  await using rest = await serveRest();
  await using client = connectFlux(rest.url);
  const memory = rest.service.for();
  rest.service.for = () => memory;
  memory.events = async function* () {
    yield { seq: 1, kind: "text", id: "a", operation: "insert", cursor: "c" };
    throw new FluxError("cursor_too_old", "The feed begins later");
  };
  const events = await take(eventsOf(await fetch(`${rest.url}/events`)), 3);
  expect(events.map(({ event }) => event)).toEqual(["change", "problem"]);
  expect(JSON.parse(events[1]?.data as string)).toMatchObject({ status: 410, code: "cursor_too_old" });
  const followed = client.for().events()[Symbol.asyncIterator]();
  expect(await followed.next()).toMatchObject({ value: { id: "a", cursor: "c" } });
  await expect(followed.next()).rejects.toMatchObject({ code: "cursor_too_old" });
});

test("while nothing happens there are signs of life", async () => {
  await using rest = await serveRest({}, { keepAlive: 1 });
  const { body } = await fetch(`${rest.url}/events`);
  let heard = "";
  for await (const chunk of readBytes(body as ReadableStream<Uint8Array>)) {
    heard += new TextDecoder().decode(chunk);
    if (heard.endsWith(":\n\n:\n\n")) break;
  }
  expect(heard).toMatch(/^: hello\n\n/);
});

test("streams end when the server closes, or the service stops", async () => {
  await using rest = await serveRest();
  const byService = eventsOf(await fetch(`${rest.url}/events`));
  await rest.service.stop();
  expect(await take(byService, 1)).toEqual([]);

  await using other = await serveRest();
  const byServer = eventsOf(await fetch(`${other.url}/events`));
  await other.server.close();
  expect(await take(byServer, 1)).toEqual([]);
});

test("a hundred streams are open at once, and a place is free again when a client goes", async () => {
  await using rest = await serveRest();
  const controllers = Array.from({ length: 100 }, () => new AbortController());
  await Promise.all(controllers.map(({ signal }) => fetch(`${rest.url}/events`, { signal })));
  const refused = await fetch(`${rest.url}/events`);
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { code: "overloaded", retryable: true },
  ]);
  controllers[0]?.abort();
  await expect.poll(async () => (await fetch(`${rest.url}/events`, { method: "HEAD" })).status).toBe(200);
  await expect
    .poll(async () => {
      const controller = new AbortController();
      const { status } = await fetch(`${rest.url}/events`, { signal: controller.signal });
      controller.abort();
      return status;
    })
    .toBe(200);
});

test("HEAD opens no stream", async () => {
  await using rest = await serveRest();
  const status = await new Promise((resolve) =>
    request(`${rest.url}/events`, { method: "HEAD" }, ({ statusCode }) => resolve(statusCode)).end(),
  );
  expect(status).toBe(200);
});

test("a client follows events over connections that break, without leaving any out", async () => {
  await using rest = await serveRest();
  const memory = rest.service.for({ userId: "u" });
  const { id } = await memory.store("one");
  let connections = 0;
  const connected = Promise.withResolvers<void>();
  await using client = connectFlux(rest.url, {
    fetch: async (...args) => {
      connections += 1;
      const response = await fetch(...args);
      connected.resolve();
      // Each connection breaks after its first event.
      return new Response(breakAfter("event: change", response.body as ReadableStream<Uint8Array>), response);
    },
  });
  const events = client.for({ userId: "u" }).events()[Symbol.asyncIterator]();
  const first = events.next();
  await connected.promise;
  await memory.update(id, { pinned: true });
  const seen: FluxEvent[] = [];
  const { value } = await first;
  seen.push(value);
  await memory.archive(id);
  await memory.store("two");
  while (seen.at(-1)?.operation !== "insert") seen.push((await events.next()).value);
  expect(connections).toBeGreaterThan(1);
  const whole = memory.events({ after: seen[0]?.cursor })[Symbol.asyncIterator]();
  const changes = (of: readonly FluxEvent[]) => of.map(({ cursor: _, ...change }) => change);
  expect(changes(seen.slice(1))).toEqual(changes(await take(whole, seen.length - 1)));
  await events.return?.(undefined);
});

test("a client's events end with its signal, and with the client", async () => {
  await using rest = await serveRest();
  const client = connectFlux(rest.url);
  const controller = new AbortController();
  const ended = client.for().events({ signal: controller.signal })[Symbol.asyncIterator]().next();
  const closed = client.for().events()[Symbol.asyncIterator]().next();
  controller.abort();
  expect(await ended).toMatchObject({ done: true });
  await client.close();
  expect(await closed).toMatchObject({ done: true });
});

test("what the service has against a client's events is an error", async () => {
  await using rest = await serveRest();
  await using client = connectFlux(rest.url);
  const next = (after: unknown) =>
    client
      .for()
      .events({ after } as never)
      [Symbol.asyncIterator]()
      .next();
  await expect(next("nonsense")).rejects.toMatchObject({ code: "invalid_cursor" });
  expect(() => client.for().events({ since: 5 } as never)).toThrow(
    expect.objectContaining({ code: "invalid_argument" }),
  );
});

/** A stream that breaks behind the event in which a text is. */
function breakAfter(text: string, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let heard = "";
  return new ReadableStream({
    async pull(controller) {
      const at = heard.indexOf(text);
      if (at >= 0 && heard.indexOf("\n\n", at) >= 0) {
        await reader.cancel();
        throw new TypeError("the connection broke");
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      heard += new TextDecoder().decode(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
