import { expect, test } from "vitest";
import { partition } from "../model/partition.ts";
import { insert } from "./batch.ts";
import type { Driver, RowWrite } from "./driver.ts";
import { createLedger } from "./engine.ts";
import type { Ledger } from "./ledger.ts";
import { MemoryDriver } from "./memory/driver.ts";

const alice = partition({ userId: "alice" });

/** A ledger whose driver forgets some of its writes, as a faulty adapter or a hand in the tables would. */
function tampered(forgets: (write: RowWrite) => boolean, overrides: Partial<Driver> = {}): Ledger {
  const driver = new MemoryDriver();
  const faulty: Partial<Driver> = {
    transact: (of, fresh, transaction) =>
      driver.transact(of, fresh, function* (head) {
        const outcome = yield* transaction(head);
        return { ...outcome, writes: outcome.writes.filter((write) => !forgets(write)) };
      }),
    ...overrides,
  };
  return createLedger(
    new Proxy(driver, {
      get(target, name) {
        const own: unknown = Reflect.get(faulty, name) ?? Reflect.get(target, name);
        return typeof own === "function" ? own.bind(target) : own;
      },
    }),
  );
}

async function fill(ledger: Ledger): Promise<void> {
  const message = { sessionId: "s", role: "user", content: "the secret", saidAt: 0 } as const;
  const text = { form: "note", content: "about it", provenance: "user_stated", statedAt: 0 } as const;
  const grain = {
    ownerKind: "message",
    ownerId: "m",
    status: "active",
    provenance: "user_stated",
    saidAt: 0,
  } as const;
  await ledger.append(alice, {
    operation: "o",
    records: [
      insert("message", message, { id: "m" }),
      insert("text", text, { id: "t", sources: [{ kind: "message", id: "m" }] }),
      insert("grain", grain, { id: "g" }),
    ],
    jobs: [{ queue: "q", sources: [{ kind: "message", id: "m" }] }],
  });
}

const refs = [{ kind: "message", id: "m" }];

test.each([
  ["message", { message: 1 }],
  ["text", { text: 1 }],
  ["grain", { grain: 1 }],
  ["link", { link: 3 }],
])("a %s row that should have gone makes an erasure dirty", async (table, leftovers) => {
  const ledger = tampered((write) => write.type === "remove" && write.table.name === table);
  await fill(ledger);
  const { id } = await ledger.erase(alice, { operation: "e", refs });
  const report = await ledger.verify(alice, id);
  expect(report.clean).toBe(false);
  for (const [name, count] of Object.entries(leftovers)) {
    expect(report.leftovers[name]).toBeGreaterThanOrEqual(1);
    expect(report.leftovers[name]).toBeLessThanOrEqual(2 * count);
  }
});

test("rows that should have gone with everything make an erasure dirty", async () => {
  for (const table of ["message", "text", "job"]) {
    const ledger = tampered((write) => write.type === "clear" && write.table.name === table);
    await fill(ledger);
    const { id } = await ledger.erase(alice, { operation: "e", everything: true });
    expect(await ledger.verify(alice, id)).toMatchObject({ clean: false, leftovers: { [table]: 1 } });
  }
});

test("a text that is left in a row is found by a probe", async () => {
  const ledger = tampered((write) => write.type === "remove" && write.table.name === "message");
  await fill(ledger);
  const { id } = await ledger.erase(alice, { operation: "e", refs });
  const { probes } = await ledger.verify(alice, id, { probes: ["the secret"] });
  expect(probes).toEqual({ rows: 1, files: undefined });
});

test("an erasure whose bytes are still in the files is not clean, and becomes so", async () => {
  let held = true;
  const ledger = tampered(() => false, { clean: async () => !held });
  await fill(ledger);
  const { id, state } = await ledger.erase(alice, { operation: "e", refs });
  expect(state).toBe("logically_erased");
  expect(await ledger.verify(alice, id)).toMatchObject({ clean: false, state, leftovers: {} });
  expect((await ledger.maintain()).cleaned).toBe(0);
  held = false;
  expect((await ledger.maintain()).cleaned).toBe(1);
  expect(await ledger.verify(alice, id)).toMatchObject({ clean: true, state: "physically_erased" });
});
