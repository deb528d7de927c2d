import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("calls with the same key take turns, others do not wait", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const a = turns.take("x", async () => {
    await first.promise;
    order.push("a");
    throw new Error("a");
  });
  const b = turns.take("x", async () => order.push("b"));
  await turns.take("y", async () => order.push("c"));
  first.resolve();
  await expect(a).rejects.toThrow("a");
  await b;
  expect(order).toEqual(["c", "a", "b"]);
  expect(await turns.take("x", async () => "again")).toBe("again");
});
