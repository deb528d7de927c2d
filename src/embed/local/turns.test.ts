import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("one at a time, queries before documents that wait longer", async () => {
  const turns = new Turns();
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<void> => {
    expect(++running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    order.push(name);
    running--;
  };
  const kinds = ["document", "document", "query", "document", "query"] as const;
  await Promise.all(kinds.map((kind, i) => turns.take(kind, work(`${kind} ${i}`))));
  expect(order).toEqual(["document 0", "query 2", "query 4", "document 1", "document 3"]);
});

test("a failure does not hold up the others, and the process gets to do other things in between", async () => {
  const turns = new Turns();
  let ticks = 0;
  const ticking = setInterval(() => ticks++);
  const failing = turns.take("document", async () => {
    throw new Error("broken");
  });
  const others = Array.from({ length: 20 }, () => turns.take("document", async () => ticks));
  await expect(failing).rejects.toThrow("broken");
  const seen = await Promise.all(others);
  clearInterval(ticking);
  expect(seen.at(-1)).toBeGreaterThan(2);
});
