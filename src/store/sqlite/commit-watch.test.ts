import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { followChanges } from "../follow.ts";
import type { Ledger } from "../ledger.ts";
import { CommitWatch } from "./commit-watch.ts";
import { sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
let path: string;
let ledger: Ledger;

beforeEach(() => {
  path = folder.path("test.db");
  ledger = sqliteLedger({ path });
});
afterEach(() => ledger.close());

function say(content: string): Promise<unknown> {
  const value = { sessionId: "s", role: "user", content, saidAt: 0 } as const;
  return ledger.append(ann, { operation: content, records: [insert("message", value)] });
}

async function duration(step: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await step;
  return performance.now() - start;
}

test("a commit of this process wakes everyone who waits", async () => {
  await say("first");
  const waits = [ledger.changes.wait({ timeout: 10_000 }), ledger.changes.wait({ timeout: 10_000 })];
  expect(await duration(Promise.all([...waits, say("second")]))).toBeLessThan(5000);
});

test("a commit of another process wakes those who wait, and its changes can be read", async () => {
  await say("first");
  const cursor = await ledger.changes.head();
  const child = new Child(`
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    await ledger.capabilities();
    tell("ready");
    await stdinEnd();
    await ledger.append(partition({ userId: "bob" }), { operation: "o", records: [message("from elsewhere")] });
    await ledger.close();`);
  await child.next();
  const woken = duration(ledger.changes.wait({ timeout: 20_000 }));
  child.release();
  expect(await woken).toBeLessThan(10_000);
  const { changes } = await ledger.changes.read({ after: cursor });
  expect(changes).toMatchObject([{ partition: { userId: "bob" }, kind: "message", operation: "insert" }]);
  await child.success();
});

test("a wait ends at its time-out, at an abort, and when the ledger is closed", async () => {
  await say("first");
  expect(await duration(ledger.changes.wait({ timeout: 40 }))).toBeGreaterThanOrEqual(39);
  const abort = new AbortController();
  const aborted = duration(ledger.changes.wait({ timeout: 10_000, signal: abort.signal }));
  abort.abort();
  expect(await aborted).toBeLessThan(5000);
  const closed = duration(ledger.changes.wait({ timeout: 10_000 }));
  await ledger.close();
  expect(await closed).toBeLessThan(5000);
});

test("a wait for a store that cannot be opened lasts until its time-out", async () => {
  const unreachable = sqliteLedger({ path: "/dev/null/a.db" });
  expect(await duration(unreachable.changes.wait({ timeout: 40 }))).toBeGreaterThanOrEqual(39);
});

test("nothing keeps a process alive whose ledger is open and idle, or was waited on and closed", async () => {
  const idle = new Child(`
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    await ledger.changes.wait({ timeout: 30 });
    await ledger.append(partition({ userId: null }), { operation: "o", records: [message("hello")] });`);
  const closed = new Child(`
    const ledger = sqliteLedger({ path: ":memory:" });
    const wait = ledger.changes.wait({ timeout: 100_000 });
    await ledger.changes.head();
    await ledger.close();
    await wait;`);
  await idle.success();
  await closed.success();
});

test("the database is looked at only while somebody waits, and less often the longer it lasts", async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    const watch = new CommitWatch(() => {
      looks += 1;
      return 1;
    });
    const looksIn = async (milliseconds: number): Promise<number> => {
      const before = looks;
      await vi.advanceTimersByTimeAsync(milliseconds);
      return looks - before;
    };
    expect(await looksIn(50)).toBe(0);
    const waiting = watch.wait(300, undefined);
    expect(looks).toBe(1);
    // Every 5 ms at first and every 25 ms in the end.
    expect([await looksIn(50), await looksIn(200), await looksIn(50)]).toEqual([4, 8, 2]);
    await waiting;
    expect(await looksIn(60)).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a follower in another process sees every change once and in order", async () => {
  const total = 60;
  const child = new Child(`
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    await ledger.capabilities();
    tell("ready");
    for (let i = 0; i < ${total}; i++) {
      await ledger.append(partition({ userId: "u" + (i % 3) }), { operation: "o" + i, records: [message("m" + i)] });
    }
    await ledger.close();`);
  await child.next();
  const seen = new Map<string | null, number[]>();
  let count = 0;
  for await (const { changes } of followChanges(ledger)) {
    for (const { partition: of, seq } of changes) seen.set(of.userId, [...(seen.get(of.userId) ?? []), seq]);
    count += changes.length;
    if (count >= total) break;
  }
  const expected = Array.from({ length: total / 3 }, (_, i) => i + 1);
  expect([...seen.values()]).toEqual([expected, expected, expected]);
  await child.success();
});
