import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { count, deadly, mistaken, refused } from "../../../test/support/sqlite-plans.ts";
import { FluxError } from "../../model/errors.ts";
import { partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { definePlan } from "../plan.ts";
import { find, head } from "../read.ts";
import { type SqliteOptions, sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
const ledgers: Ledger[] = [];
afterEach(async () => {
  for (const ledger of ledgers.splice(0)) await ledger.close();
});

function open(options: Partial<SqliteOptions> = {}): Ledger {
  const ledger = sqliteLedger({ path: folder.path("test.db"), worker: true, ...options });
  ledgers.push(ledger);
  return ledger;
}

const message = (content: string): Insert =>
  insert("message", { sessionId: "s", role: "user", content, saidAt: 0 });

function say(ledger: Ledger, content: string, signal?: AbortSignal): Promise<unknown> {
  return ledger.append(ann, { operation: content, records: [message(content)] }, { signal });
}

/** How many commits the log holds: the last frame of each says how large the database is behind it. */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const [header, frame] = [32, 24 + 4096];
  let commits = 0;
  for (let at = header; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

/** Another process that holds the lock of the database until it is released. */
async function holdLock(path: string): Promise<Child> {
  const other = new Child(`
    import Database from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
    const db = new Database(${JSON.stringify(path)});
    db.exec("begin immediate");
    tell("locked");
    await stdinEnd();
    db.exec("rollback");`);
  await other.next();
  return other;
}

test("calls that are made together share commits", async () => {
  const path = folder.path("test.db");
  const ledger = open({ path });
  await say(ledger, "first");
  const before = countCommits(path);
  const other = await holdLock(path);
  const calls = Array.from({ length: 60 }, (_, i) => say(ledger, `o${i}`));
  // Reading needs no lock, and is answered once the thread has all calls before it.
  await ledger.read([ann], [head()]);
  other.release();
  await Promise.all(calls);
  expect(await ledger.read([ann], [head()])).toMatchObject([{ records: 61 }]);
  expect(countCommits(path) - before).toBe(1);
  await other.success();
});

test("the caller's event loop does not stand still while the thread works", async () => {
  const ledger = open();
  await say(ledger, "first");
  const big = Array.from({ length: 40 }, (_, i) => message(`${i} ${"x".repeat(100_000)}`));
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  const calls = Array.from({ length: 10 }, (_, i) =>
    ledger.append(partition({ userId: `u${i}` }), { operation: "big", records: big }),
  );
  const before = turns;
  await Promise.all(calls);
  clearInterval(ticking);
  expect(turns - before).toBeGreaterThan(10);
});

test("plans are found in the module they name, and decide inside the transaction", async () => {
  const ledger = open();
  const calls = Array.from({ length: 50 }, (_, i) =>
    ledger.update(ann, { operation: `o${i}`, plan: count, input: null }),
  );
  const results = (await Promise.all(calls)).map(({ result }) => result);
  expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

test("a plan that its module does not export, or whose module cannot be loaded, is unavailable", async () => {
  const ledger = open();
  const reads = (): [] => [];
  const decide = (): object => ({});
  const hidden = definePlan({ name: "hidden", module: import.meta.resolve("../batch.ts"), reads, decide });
  const nowhere = definePlan({ name: "nowhere", module: "file:///nowhere.js", reads, decide });
  for (const plan of [hidden, nowhere]) {
    await expect(ledger.update(ann, { operation: "o", plan, input: null })).rejects.toMatchObject({
      code: "plan_unavailable",
      retryable: false,
    });
  }
});

test("errors cross as what they are", async () => {
  const ledger = open();
  await say(ledger, "o");
  const conflict = await ledger.append(ann, { operation: "o", records: [] }).catch((error: unknown) => error);
  expect(conflict).toBeInstanceOf(FluxError);
  expect(conflict).toMatchObject({ code: "operation_conflict", retryable: false, hint: expect.any(String) });
  await expect(say(ledger, 7 as never)).rejects.toBeInstanceOf(TypeError);
  const mistake = await ledger
    .update(ann, { operation: "p", plan: mistaken, input: null })
    .catch((error) => error);
  expect(mistake).toBeInstanceOf(RangeError);
  expect(mistake).toMatchObject({ name: "Mistake", message: "a mistake in the plan", step: 3 });
  expect(mistake.stack).toContain("sqlite-plans");
  await expect(ledger.update(ann, { operation: "p", plan: refused, input: null })).rejects.toMatchObject({
    code: "quota_exceeded",
    hint: "Pay.",
    retryable: true,
  });
});

test("an abort takes a waiting call back, with the caller's own reason", async () => {
  const path = folder.path("test.db");
  const ledger = open({ path });
  await say(ledger, "first");
  const other = await holdLock(path);
  const abort = new AbortController();
  const aborted = say(ledger, "a", abort.signal);
  const kept = say(ledger, "b");
  setTimeout(() => abort.abort(new Error("enough")), 50);
  await expect(aborted).rejects.toThrow("enough");
  other.release();
  await other.success();
  await kept;
  await expect(say(ledger, "c", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  const [page] = await ledger.read([ann], [find("message", { index: "bySession", prefix: ["s"] })]);
  expect(page.items.map(({ content }) => content)).toEqual(["first", "b"]);
});

test("the caller's clock decides in the thread", async () => {
  let now = 1_000_000;
  const ledger = open({ clock: { now: () => now } });
  const at = async (operation: string): Promise<number> => {
    const { recordedAt } = await ledger.append(partition({ userId: operation }), { operation, records: [] });
    return recordedAt;
  };
  expect(await at("a")).toBe(1_000_000);
  now = 5_000_000;
  expect(await at("b")).toBe(5_000_000);
  now = 2_000_000;
  expect(await at("c")).toBe(2_000_000);
});

test("a source of randomness of the caller's own is refused", () => {
  expect(() => open({ randomness: { bytes: (length) => new Uint8Array(length) } })).toThrow(
    expect.objectContaining({ code: "invalid_argument" }),
  );
});

test("a thread that dies rejects what is under way, and the next call starts another one", async () => {
  const ledger = open();
  await say(ledger, "kept");
  const outcomes = await Promise.allSettled([
    ledger.update(ann, { operation: "o", plan: deadly, input: null }),
    ledger.changes.wait({ timeout: 60_000 }),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable", retryable: true } });
  }
  await say(ledger, "after");
  expect(await ledger.read([ann], [head()])).toMatchObject([{ records: 2 }]);
});

test("a database in memory is one for all calls, and is not silently empty after its thread died", async () => {
  const ledger = open({ path: ":memory:" });
  await Promise.all([say(ledger, "a"), say(ledger, "b")]);
  expect(await ledger.read([ann], [head()])).toMatchObject([{ records: 2 }]);
  await expect(ledger.update(ann, { operation: "o", plan: deadly, input: null })).rejects.toBeDefined();
  await expect(ledger.read([ann], [head()])).rejects.toMatchObject({ code: "unavailable", retryable: false });
});

test("closing lets calls under way end, ends the thread, and can be done twice or before any call", async () => {
  const ledger = open();
  const calls = Promise.all([say(ledger, "a"), say(ledger, "b")]);
  await Promise.all([ledger.close(), ledger.close()]);
  await expect(calls).resolves.toHaveLength(2);
  await expect(say(ledger, "c")).rejects.toMatchObject({ code: "closed" });
  await open().close();
});

test("an idle thread does not keep the process alive, a call under way does", async () => {
  const program = (wait: string): string => `
    const ledger = sqliteLedger({ path: ":memory:", worker: true });
    await ledger.append(partition({ userId: null }), { operation: "o", records: [message("hello")] });
    ${wait}`;
  const idle = new Child(program(""));
  const waiting = new Child(program("await ledger.changes.wait({ timeout: 300 }); tell('waited');"));
  const closed = new Child(program("await ledger.close(); tell('closed');"));
  await idle.success();
  expect(await waiting.rest()).toEqual(["waited"]);
  expect(await closed.rest()).toEqual(["closed"]);
});

test("results are the caller's own, and records are frozen as they are without a thread", async () => {
  const ledger = open();
  await say(ledger, "a");
  const [page] = await ledger.read([ann], [find("message")]);
  expect(Object.isFrozen(page.items[0])).toBe(true);
  const report = await ledger.maintain();
  expect(report).toEqual({ expired: 0, cleaned: 0, changes: 0, errors: [] });
});
