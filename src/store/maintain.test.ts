import { expect, test } from "vitest";
import { partition } from "../model/partition.ts";
import { insert } from "./batch.ts";
import { ManualClock } from "./contract/manual-clock.ts";
import { createLedger } from "./engine.ts";
import { MemoryDriver } from "./memory/driver.ts";
import { systemTables } from "./system-tables.ts";

/** Says that its files are clean behind the marks that it gave out, and remembers what it was asked. */
class CountingDriver extends MemoryDriver {
  readonly given: string[] = [];
  readonly cleaned: string[] = [];
  dirty = false;

  override async cleanMark(): Promise<string> {
    this.given.push(`mark ${this.given.length}`);
    return this.given.at(-1) as string;
  }

  override async clean(mark?: string): Promise<boolean> {
    this.cleaned.push(mark as string);
    return !this.dirty;
  }
}

test("erasures that wait for the files share one mark, so that one cleaning serves them all", async () => {
  const clock = new ManualClock();
  const driver = new CountingDriver();
  await using ledger = createLedger(driver, { clock });
  const message = insert("message", { sessionId: "s", role: "user", content: "x", saidAt: 0 });
  for (const userId of ["a", "b", "c"]) {
    const user = partition({ userId });
    await ledger.setPolicy(user, { ttl: 1000 });
    await ledger.append(user, { operation: "o", records: [message] });
  }
  clock.advance(1000);
  driver.dirty = true;
  expect(await ledger.maintain()).toMatchObject({ expired: 3, cleaned: 0, errors: [] });
  expect(driver.given).toEqual(["mark 0"]);
  expect(driver.cleaned).toEqual(["mark 0", "mark 0", "mark 0"]);
  // From then on, each has the mark that it was given: what is clean behind it need not be cleaned again.
  driver.dirty = false;
  expect(await ledger.maintain()).toMatchObject({ expired: 0, cleaned: 3, errors: [] });
  expect(driver.cleaned.slice(3)).toEqual(["mark 0", "mark 0", "mark 0"]);
  const marks = driver.given.length;
  expect(await ledger.maintain()).toMatchObject({ cleaned: 0 });
  expect(driver.given).toHaveLength(marks);
});

test("the row of an erasure that nobody asked for goes once its bytes are gone, and traces leave none", async () => {
  const clock = new ManualClock();
  const driver = new CountingDriver();
  await using ledger = createLedger(driver, { clock });
  const user = partition({ userId: "a" });
  const rows = async () => {
    const read = { type: "find", table: systemTables.erasure, index: "byId", prefix: [] } as const;
    return (await driver.snapshot(user, [read])).rows[0]?.map(({ physical, scope }) => [
      physical,
      scope !== "",
    ]);
  };
  const expiresAt = clock.now() + 10;
  const message = insert("message", { sessionId: "s", role: "user", content: "x", saidAt: 0 }, { id: "m" });
  const expiring = insert("message", { ...message.value, expiresAt }, { id: "n" });
  const trace = insert("trace", { query: "q", hits: [], expiresAt: expiresAt + 10 });
  await ledger.append(user, { operation: "o", records: [message, expiring] });
  await ledger.erase(user, { operation: "e", refs: [{ kind: "message", id: "m" }] });
  await ledger.append(user, { operation: "p", records: [trace] });
  expect(await rows()).toEqual([[true, true]]);
  clock.advance(10);
  driver.dirty = true;
  expect(await ledger.maintain()).toMatchObject({ expired: 1, cleaned: 0 });
  expect((await rows())?.sort()).toEqual([
    [false, false],
    [true, true],
  ]);
  driver.dirty = false;
  expect(await ledger.maintain()).toMatchObject({ expired: 0, cleaned: 1 });
  expect(await rows()).toEqual([[true, true]]);
  clock.advance(10);
  driver.dirty = true;
  expect(await ledger.maintain()).toMatchObject({ expired: 1, cleaned: 0, errors: [] });
  expect(await rows()).toEqual([[true, true]]);
});
