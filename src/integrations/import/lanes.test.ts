import { expect, test } from "vitest";
import { Lanes } from "./lanes.ts";

/** Work that is done when the test says so. */
function gate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { work: () => promise, open: resolve, fail: reject };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("lanes run side by side, up to a number, and each in its order", async () => {
  const lanes = new Lanes({ atOnce: 2, queued: 100, weight: 100 });
  const log: string[] = [];
  const gates = [..."abc"].flatMap((lane) => [1, 2].map((n) => ({ lane, n, ...gate() })));
  for (const { lane, n, work } of gates) {
    await lanes.add(lane, 1, async () => {
      log.push(`${lane}${n}`);
      await work();
    });
  }
  await turn();
  expect(log).toEqual(["a1", "b1"]);
  gates[0]?.open();
  await turn();
  expect(log).toEqual(["a1", "b1", "c1"]);
  for (const { open } of gates) open();
  await lanes.end();
  expect(log.slice(3).sort()).toEqual(["a2", "b2", "c2"]);
});

test.each([
  ["many", { atOnce: 9, queued: 2, weight: 100 }],
  ["heavy", { atOnce: 9, queued: 9, weight: 21 }],
])("more waits until there is room, when works are too %s", async (_, limits) => {
  const lanes = new Lanes(limits);
  const [first, second] = [gate(), gate()];
  // The first is taken whatever it weighs.
  await lanes.add(undefined, 11, first.work);
  await lanes.add(undefined, 10, second.work);
  let taken = false;
  const third = lanes
    .add(undefined, 10, async () => undefined)
    .then(() => {
      taken = true;
    });
  await turn();
  expect(taken).toBe(false);
  first.open();
  await third;
  second.open();
  await lanes.end();
});

test("after a failure nothing more is run, and what failed is told", async () => {
  const lanes = new Lanes({ atOnce: 1, queued: 9, weight: 9 });
  const { work, fail } = gate();
  let ran = false;
  await lanes.add("a", 1, work);
  await lanes.add("a", 1, async () => {
    ran = true;
  });
  fail(new Error("full"));
  await lanes.settled();
  await expect(lanes.add("b", 1, async () => undefined)).rejects.toThrow("full");
  await expect(lanes.end()).rejects.toThrow("full");
  expect(ran).toBe(false);
});
