import { expect, test } from "vitest";
import { EventHub } from "./event-hub.ts";

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

test("everyone who listens gets what is emitted from then on, in order", async () => {
  const hub = new EventHub<number>();
  hub.emit(0);
  const [a, b] = [hub.listen(), hub.listen()];
  hub.emit(1);
  const next = [a.next(), a.next()];
  hub.emit(2);
  expect((await Promise.all(next)).map(({ value }) => value)).toEqual([1, 2]);
  hub.end();
  expect(await all(b)).toEqual([1, 2]);
  expect(await a.next()).toEqual({ done: true, value: undefined });
  expect(hub.listeners).toBe(0);
});

test("who is slow loses the oldest, and nothing else", async () => {
  const hub = new EventHub<number>(3);
  const slow = hub.listen();
  for (let i = 0; i < 10; i++) hub.emit(i);
  hub.end();
  expect(await all(slow)).toEqual([7, 8, 9]);
});

test("a signal or a break ends listening, and leaves nothing behind", async () => {
  const hub = new EventHub<number>();
  const abort = new AbortController();
  const waiting = hub.listen(abort.signal).next();
  const before = hub.listen(abort.signal);
  abort.abort();
  expect((await waiting).done).toBe(true);
  expect((await before.next()).done).toBe(true);
  expect((await hub.listen(abort.signal).next()).done).toBe(true);
  const loop = hub.listen();
  hub.emit(1);
  for await (const event of loop) {
    expect(event).toBe(1);
    break;
  }
  expect(hub.listeners).toBe(0);
});
