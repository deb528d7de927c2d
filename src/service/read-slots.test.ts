import { expect, test } from "vitest";
import { ReadSlots } from "./read-slots.ts";

/** A call that ends when it is told. */
function call() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const state = { begun: false };
  const run = async (): Promise<void> => {
    state.begun = true;
    await promise;
  };
  return { run, end: resolve, fail: reject, state };
}

/** All that can be done without waiting for somebody is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("so many calls run at once, and the others begin in the order in which they came", async () => {
  const slots = new ReadSlots(2);
  const calls = Array.from({ length: 5 }, call);
  const running = calls.map(({ run }) => slots.run(run));
  await settled();
  const begun = () => calls.map(({ state }) => state.begun);
  expect(begun()).toEqual([true, true, false, false, false]);
  expect([slots.running, slots.waiting]).toEqual([2, 3]);
  calls[1]?.end();
  await settled();
  expect(begun()).toEqual([true, true, true, false, false]);
  calls[0]?.fail(new Error("failed"));
  await expect(running[0]).rejects.toThrow("failed");
  await settled();
  expect(begun()).toEqual([true, true, true, true, false]);
  for (const { end } of calls) end();
  await Promise.allSettled(running);
  expect([slots.running, slots.waiting]).toEqual([0, 0]);
});

test("a call that is aborted while it waits never begins, and keeps nobody waiting", async () => {
  const slots = new ReadSlots(1);
  const [first, second, third] = [call(), call(), call()];
  const running = slots.run(first.run);
  const abort = new AbortController();
  const waiting = slots.run(second.run, abort.signal);
  const after = slots.run(third.run);
  abort.abort(new Error("no longer wanted"));
  await expect(waiting).rejects.toThrow("no longer wanted");
  await expect(slots.run(second.run, abort.signal)).rejects.toThrow("no longer wanted");
  first.end();
  third.end();
  await Promise.all([running, after]);
  expect(second.state.begun).toBe(false);
  expect([slots.running, slots.waiting]).toEqual([0, 0]);
});

test("more than may wait are refused", async () => {
  const slots = new ReadSlots(1, 2);
  const calls = Array.from({ length: 3 }, call);
  const running = calls.map(({ run }) => slots.run(run));
  await expect(slots.run(async () => undefined)).rejects.toMatchObject({
    code: "overloaded",
    retryable: true,
  });
  for (const { end } of calls) end();
  await Promise.all(running);
  await slots.run(async () => undefined);
});
