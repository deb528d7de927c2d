import { expect, test } from "vitest";
import type { Connections } from "./connections.ts";
import { WakeUp } from "./wake-up.ts";

test("whoever reads the feed waits for a notification that is under way, and for nothing where there is none", async () => {
  const asked = Promise.withResolvers<void>();
  const carriedOut = Promise.withResolvers<readonly []>();
  const session = {
    query: () => {
      asked.resolve();
      return carriedOut.promise;
    },
  };
  const connections = { use: (work: (of: typeof session) => Promise<unknown>) => work(session) };
  const wakeUp = new WakeUp(connections as unknown as Connections, "schema");
  await wakeUp.told();
  wakeUp.committed();
  await asked.promise;
  const order: string[] = [];
  const told = wakeUp.told().then(() => order.push("told"));
  // What is committed meanwhile asks for another one, later.
  wakeUp.committed();
  order.push("carried out");
  carriedOut.resolve([]);
  await told;
  expect(order).toEqual(["carried out", "told"]);
  await wakeUp.told();
  await wakeUp.close();
});
