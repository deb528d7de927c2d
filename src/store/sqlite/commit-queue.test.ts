import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, head } from "../read.ts";
import { sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
const bob = partition({ userId: "bob" });
let path: string;
let ledger: Ledger;

beforeEach(() => {
  path = folder.path("test.db");
  ledger = sqliteLedger({ path, busyTimeout: 60_000 });
});
afterEach(() => ledger.close());

const message = (content: string): Insert =>
  insert("message", { sessionId: "s", role: "user", content, saidAt: 0 });

function say(operation: string, content = operation, to = ann, signal?: AbortSignal): Promise<unknown> {
  return ledger.append(to, { operation, records: [message(content)] }, { signal });
}

async function contents(of = ann): Promise<string[]> {
  const [page] = await ledger.read(
    [of],
    [find("message", { index: "bySession", prefix: ["s"], limit: 1000 })],
  );
  return page.items.map(({ content }) => content);
}

/** How many commits the database has seen: each writes the log once. */
function spyOnCommits(): { count: number } {
  const prototype = Object.getPrototypeOf(new Database(":memory:").prepare("select 1")) as Database.Statement;
  const run = prototype.run;
  const spy = { count: 0 };
  prototype.run = function (this: Database.Statement, ...args: unknown[]) {
    if (this.source === "commit") spy.count += 1;
    return run.apply(this, args);
  };
  restore = () => {
    prototype.run = run;
  };
  return spy;
}
let restore = (): void => undefined;
afterEach(() => restore());

test("callers at the same time share commits, at most 256 in each", async () => {
  await say("first");
  const commits = spyOnCommits();
  await Promise.all(Array.from({ length: 300 }, (_, i) => say(`o${i}`)));
  expect(commits.count).toBe(2);
  expect(await contents()).toHaveLength(301);
});

test("a member that fails takes no other with it, and leaves nothing behind", async () => {
  await say("taken");
  const operations = ["a", "taken", "b"].map((operation) => say(operation, `says ${operation}`));
  // A partition that only the failing member would have created.
  const block = insert("block", { name: "n", content: "x", position: 0 });
  const failing = ledger.append(bob, { operation: "o", records: [message("bob"), block, block] });
  const outcomes = await Promise.allSettled([...operations, failing, say("c")]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "operation_conflict" } });
  expect(outcomes[3]).toMatchObject({ reason: { code: "already_exists" } });
  expect(await contents()).toEqual(["taken", "says a", "says b", "c"]);
  expect(await ledger.read([bob], [head()])).toEqual([undefined]);
  expect((await ledger.changes.read()).changes).toHaveLength(4);
  // The partition is not remembered from the group that took it back.
  await say("again", "bob again", bob);
  expect(await contents(bob)).toEqual(["bob again"]);
});

test("members of one group see each other in the order of their calls", async () => {
  const receipts = await Promise.all([say("one"), say("one"), say("two")]);
  expect(receipts).toMatchObject([
    { seq: 1, replayed: false },
    { seq: 1, replayed: true },
    { seq: 2, replayed: false },
  ]);
  expect(await ledger.read([ann], [head()])).toMatchObject([{ seq: 2, records: 2 }]);
});

test("an abort takes a call out of the queue, and no other", async () => {
  await say("first");
  const abort = new AbortController();
  const calls = [say("a"), say("b", "b", ann, abort.signal), say("c")];
  abort.abort(new Error("no longer wanted"));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes[1]).toMatchObject({ status: "rejected", reason: { message: "no longer wanted" } });
  expect(await contents()).toEqual(["first", "a", "c"]);
});

test("when the database is full, the whole group is rejected and none of it is there", async () => {
  await say("first");
  const grow = new Database(path);
  const pages = grow.pragma("page_count", { simple: true }) as number;
  grow.close();
  await ledger.close();
  const pragma = Database.prototype.pragma;
  // Every connection of this ledger may only grow by a few pages.
  Database.prototype.pragma = function (source, options) {
    if (source.startsWith("synchronous")) pragma.call(this, `max_page_count = ${pages + 20}`);
    return pragma.call(this, source, options);
  };
  restore = () => {
    Database.prototype.pragma = pragma;
  };
  ledger = sqliteLedger({ path });
  await say("second");
  const calls = [say("small"), say("huge", "x".repeat(500_000)), say("other")];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "storage_full", retryable: true } });
  }
  expect(await contents()).toEqual(["first", "second"]);
  await Promise.all([say("small"), say("other")]);
  expect(await contents()).toEqual(["first", "second", "small", "other"]);
});

test("when the disk refuses a write, nobody is acknowledged, and a retry has one effect", async () => {
  await say("first");
  // A limit on the size of files, in blocks of 512 bytes, makes writing to the log fail with EFBIG.
  const program = `
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    const ann = partition({ userId: "ann" });
    const say = (operation, content) => ledger.append(ann, { operation, records: [message(content)] });
    await say("second", "second");
    const calls = [say("small", "small"), say("huge", "x".repeat(900_000)), say("other", "other")];
    for (const { status, reason } of await Promise.allSettled(calls)) tell([status, reason?.code, reason?.retryable]);
    await Promise.all([say("small", "small"), say("other", "other")]);
    await ledger.close();`;
  const limited = ["sh", "-c", `trap "" XFSZ; ulimit -f 1200; exec "$0" "$@"`];
  const child = new Child(program, { prefix: limited });
  const rejected = ["rejected", "storage_failed", true];
  expect(await child.rest()).toEqual([rejected, rejected, rejected]);
  expect(await contents()).toEqual(["first", "second", "small", "other"]);
});

test("closing waits for what was queued, and can be done twice", async () => {
  const calls = [say("a"), say("b")];
  await Promise.all([ledger.close(), ledger.close()]);
  await expect(Promise.all(calls)).resolves.toHaveLength(2);
  await expect(say("c")).rejects.toMatchObject({ code: "closed" });
  ledger = sqliteLedger({ path });
  expect(await contents()).toEqual(["a", "b"]);
});
