import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, connect, eventually, freshSchema, openTransaction } from "../../../test/postgres/database.ts";
import { startWorker } from "../../../test/postgres/worker-process.ts";
import { startPostgres } from "../../../test/servers/postgres.ts";
import type { Change } from "../../model/change.ts";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, head } from "../read.ts";
import { type PostgresOptions, postgresLedger } from "./ledger.ts";

// A server of its own, which writes nothing by itself: the feed waits for the transactions of everybody who writes to the server.
const { url, remove } = await startPostgres({ settings: { fsync: "off", autovacuum: "off" } });
afterAll(() => remove());

const alice = { namespace: "n", userId: "alice" };
const bob = { namespace: "n", userId: "bob" };
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

function open(options: Partial<PostgresOptions> = {}): { ledger: Ledger; schema: string } {
  const schema = options.schema ?? freshSchema();
  const ledger = postgresLedger({ url, schema, ...options });
  onTestFinished(() => ledger.close());
  return { ledger, schema };
}

let operations = 0;
function append(ledger: Ledger, partition = alice): Promise<unknown> {
  return ledger.append(partition, { operation: `o${operations++}`, records: [message] });
}

function seqs(changes: readonly Change[]): number[] {
  return changes.map(({ seq }) => seq);
}

describe("the order of the feed", () => {
  test("is complete, and rising in each partition, for followers in other processes while processes write", async () => {
    const { ledger, schema } = open();
    await ledger.capabilities();
    const [writers, count, users] = [4, 150, 3];
    const followers = [0, 1].map(() =>
      startWorker<Change[]>({ task: "follow", url, schema, count: writers * count }),
    );
    const processes = Array.from({ length: writers }, (_, i) =>
      startWorker({ task: "append", url, schema, name: `w${i}`, count, users, callers: 12 }),
    );
    await Promise.all(processes.map(({ result }) => result));
    const written = new Set(processes.flatMap(({ reports }) => reports));
    expect(written.size).toBe(writers * count);
    for (const seen of await Promise.all(followers.map(({ result }) => result))) {
      expect(new Set(seen.map(({ id }) => id))).toEqual(written);
      expect(seen).toHaveLength(written.size);
      for (let user = 0; user < users; user++) {
        const own = seen.filter(({ partition }) => partition.userId === `u${user}`);
        expect(seqs(own)).toEqual(Array.from({ length: (writers * count) / users }, (_, i) => i + 1));
      }
    }
  });

  test("hides what an older transaction may still come before, and misses none of it", async () => {
    const { ledger, schema } = open();
    await append(ledger);
    const { cursor } = await ledger.changes.read();
    // A writer whose transaction is older and commits later, as one does whose disk is slow.
    await using slow = await connect(url);
    await slow.query("begin");
    await slow.query(
      `insert into "${schema}".change (seq, partition, kind, id, operation, at)
      select 77, id, 'message', 'slow', 'insert', 0 from "${schema}".partitions`,
    );
    await append(ledger, bob);
    expect(await ledger.changes.read({ after: cursor })).toEqual({ changes: [], cursor });
    await slow.query("commit");
    const { changes } = await ledger.changes.read({ after: cursor });
    expect(seqs(changes)).toEqual([77, 1]);
  });

  test("has a head from which nothing is missed that a later snapshot did not show", async () => {
    const { ledger, schema } = open();
    await append(ledger);
    await using slow = await connect(url);
    await slow.query("begin");
    await slow.query(
      `insert into "${schema}".change (seq, partition, kind, id, operation, at)
      select 77, id, 'message', 'slow', 'insert', 0 from "${schema}".partitions`,
    );
    await append(ledger, bob);
    const start = await ledger.changes.head();
    const [{ items }] = await ledger.read([bob], [find("message")]);
    expect(items).toHaveLength(1);
    await slow.query("commit");
    await append(ledger, bob);
    const { changes } = await ledger.changes.read({ after: start });
    expect(seqs(changes)).toEqual([77, 1, 2]);
  });

  test("has a head behind all that was committed when nothing is under way", async () => {
    const { ledger } = open();
    await expect(ledger.changes.head()).resolves.toMatch(/^[0-9a-f]{16}\.0\.0$/);
    await append(ledger);
    await append(ledger, bob);
    const { changes, cursor } = await ledger.changes.read();
    expect(changes).toHaveLength(2);
    await expect(ledger.changes.head()).resolves.toBe(cursor);
    const start = await ledger.changes.head();
    expect((await ledger.changes.read({ after: start })).changes).toEqual([]);
    await append(ledger);
    await eventually(async () => (await ledger.changes.read({ after: start })).changes.length === 1);
  });

  test("pages through without a gap, also within a commit", async () => {
    const { ledger } = open();
    await ledger.append(alice, { operation: "many", records: Array(25).fill(message) });
    await append(ledger, bob);
    await eventually(async () => (await ledger.changes.read()).changes.length === 26);
    const pages: number[][] = [];
    for (let after: string | undefined; ; ) {
      const { changes, cursor } = await ledger.changes.read({ after, limit: 10 });
      if (changes.length === 0) break;
      pages.push(seqs(changes));
      after = cursor;
    }
    expect(pages.flat()).toEqual([...Array.from({ length: 25 }, (_, i) => i + 1), 1]);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 6]);
  });
});

describe("a cursor", () => {
  const feed = "0123456789abcdef";
  test.each([
    ...[
      "",
      "1.1",
      feed,
      `${feed}.1`,
      `${feed}.1.`,
      `${feed}..1`,
      `${feed}.-1.1`,
      `${feed}.1.-1`,
      `${feed}.1.1.1`,
    ],
    ...[
      `${feed}.1e3.1`,
      ` ${feed}.1.1`,
      `${feed}.0x1.1`,
      `${feed}.1.1\n`,
      `${feed}.1,1`,
      `${feed.toUpperCase()}.1.1`,
    ],
    ...[`${feed}.18446744073709551616.1`, `${feed}.99999999999999999999.1`, `${feed}.1.9007199254740992`],
    // Another store's.
    `${feed}.1.1`,
  ])("that was not made by this feed is refused: %j", async (cursor) => {
    const { ledger } = open({ schema: "feed_cursors" });
    await expect(ledger.changes.read({ after: cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
      retryable: false,
    });
  });

  test("of a place that was not given out yet is refused", async () => {
    const { ledger } = open();
    const [own] = (await ledger.changes.head()).split(".");
    await expect(ledger.changes.read({ after: `${own}.18446744073709551615.1` })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("behind which changes were removed is too old, and one behind them is not", async () => {
    const { ledger, schema } = open({ changeRetention: 1_000, clock: { now: () => time } });
    let time = 10_000;
    await append(ledger);
    await eventually(async () => (await ledger.changes.read()).changes.length === 1);
    const old = (await ledger.changes.read()).cursor;
    await append(ledger);
    await append(ledger, bob);
    await eventually(async () => (await ledger.changes.read({ after: old })).changes.length === 2);
    const end = (await ledger.changes.read()).cursor;
    time = 20_000;
    await eventually(async () => (await ledger.maintain()).changes > 0);
    await eventually(async () => {
      await ledger.maintain();
      return (await ask(url, `select 1 from "${schema}".change`)).length === 0;
    });
    await expect(ledger.changes.read({ after: old })).rejects.toMatchObject({ code: "cursor_too_old" });
    await append(ledger);
    await eventually(async () => (await ledger.changes.read({ after: end })).changes.length === 1);
    expect(seqs((await ledger.changes.read()).changes)).toEqual([3]);
  });

  test("stays good when what is removed was recorded with a clock that is behind", async () => {
    let time = 10_000;
    const { ledger } = open({ changeRetention: 1_000, clock: { now: () => time } });
    await append(ledger, alice);
    time = 5_000;
    await append(ledger, bob);
    await eventually(async () => (await ledger.changes.read()).changes.length === 2);
    time = 10_500;
    await eventually(async () => (await ledger.maintain()).changes === 1);
    const { changes, cursor } = await ledger.changes.read();
    // Alice's change comes before what was removed.
    expect(changes).toEqual([]);
    await expect(ledger.changes.read({ after: cursor })).resolves.toEqual({ changes: [], cursor });
  });
});

test("changes that wait for an older transaction are not removed", async () => {
  let time = 10_000;
  const { ledger } = open({ changeRetention: 1_000, clock: { now: () => time } });
  await ledger.capabilities();
  const end = await openTransaction(url);
  await append(ledger);
  time = 20_000;
  expect((await ledger.maintain()).changes).toBe(0);
  await end();
  await eventually(async () => (await ledger.maintain()).changes === 1);
});

test("an erasure of everything takes the partition's earlier changes with it, and no other's", async () => {
  const { ledger } = open();
  await append(ledger);
  await append(ledger, bob);
  await append(ledger);
  await ledger.erase(alice, { operation: "erase", everything: true });
  await append(ledger);
  await eventually(async () => (await ledger.changes.read()).changes.length === 3);
  const { changes } = await ledger.changes.read();
  expect(changes.map(({ partition, seq, operation }) => [partition.userId, seq, operation])).toEqual([
    ["bob", 1, "insert"],
    ["alice", 3, "erase_all"],
    ["alice", 4, "insert"],
  ]);
});

test("changes that came with a dump of another server's database are dropped, and their followers told", async () => {
  const { ledger, schema } = open();
  await append(ledger);
  await eventually(async () => (await ledger.changes.read()).changes.length === 1);
  const { cursor } = await ledger.changes.read();
  const foreign = "4611686018427387904";
  await ask(
    url,
    `insert into "${schema}".change (xid, seq, partition, kind, id, operation, at)
    values ('${foreign}', 5, 1, 'message', 'foreign', 'insert', 0)`,
  );
  const { ledger: restored } = open({ schema });
  await restored.capabilities();
  const [own] = cursor.split(".");
  await expect(restored.changes.read({ after: `${own}.${foreign}.5` })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
  await expect(restored.changes.read({ after: cursor })).rejects.toMatchObject({ code: "cursor_too_old" });
  expect((await restored.changes.read()).changes).toEqual([]);
  await append(restored);
  await eventually(async () => (await restored.changes.read()).changes.length === 1);
});

describe("waiting", () => {
  /** Below what a wait lasts that nothing ends, which is five seconds, and far above what one takes that something does. */
  const soon = 4_000;

  async function timeOfWait(ledger: Ledger, cause: () => unknown): Promise<number> {
    const begun = performance.now();
    const woken = ledger.changes.wait({ timeout: 60_000 });
    cause();
    await woken;
    return performance.now() - begun;
  }

  /** A ledger that listens, so that its waits are long, and the processes of the server for its listening connections. */
  async function openListening(schema = freshSchema()) {
    const { ledger } = open({ schema, url: `${url}?application_name=${schema}` });
    const listeners = () =>
      ask<{ pid: number }>(
        url,
        "select pid from pg_stat_activity where application_name = $1 and state = 'idle' and query like 'listen%'",
        [schema],
      );
    await ledger.capabilities();
    // The first wait begins to listen.
    await ledger.changes.wait({ timeout: 1 });
    await eventually(async () => (await listeners()).length === 1);
    return { ledger, schema, listeners };
  }

  test("ends soon after a commit of this process, and of another one", async () => {
    const { ledger, schema } = await openListening();
    const { ledger: other } = open({ schema });
    await other.capabilities();
    expect(await timeOfWait(ledger, () => append(ledger))).toBeLessThan(soon);
    expect(await timeOfWait(ledger, () => append(other))).toBeLessThan(soon);
    expect(await timeOfWait(ledger, () => append(other, bob))).toBeLessThan(soon);
  });

  test("ends after the time-out, when aborted and when the ledger is closed, and never rejects for it", async () => {
    const { ledger } = await openListening();
    const begun = performance.now();
    await ledger.changes.wait({ timeout: 30 });
    const controller = new AbortController();
    const aborted = ledger.changes.wait({ timeout: 60_000, signal: controller.signal });
    controller.abort();
    await aborted;
    const closed = ledger.changes.wait({ timeout: 60_000 });
    await ledger.close();
    await closed;
    expect(performance.now() - begun).toBeLessThan(soon);
  });

  test("goes on when the listening connection breaks", async () => {
    const { ledger, schema, listeners } = await openListening();
    const [before] = await listeners();
    await ask(url, "select pg_terminate_backend($1)", [before?.pid]);
    await eventually(async () => {
      const now = await listeners();
      return now.length === 1 && now[0]?.pid !== before?.pid;
    });
    const { ledger: other } = open({ schema });
    await other.capabilities();
    expect(await timeOfWait(ledger, () => append(other))).toBeLessThan(soon);
  });

  test("is short while changes are there that cannot be read yet", async () => {
    const { ledger } = await openListening();
    const end = await openTransaction(url);
    await append(ledger);
    // What was committed here wakes here, so the look comes first.
    expect((await ledger.changes.read()).changes).toEqual([]);
    expect(await timeOfWait(ledger, () => undefined)).toBeLessThan(soon);
    await end();
    await eventually(async () => (await ledger.changes.read()).changes.length === 1);
  });

  test("ends without an error while the database cannot be reached", async () => {
    const nobody = new URL(url);
    nobody.port = "1";
    const { ledger } = open({ url: nobody.href, retryFor: 100 });
    await ledger.changes.wait({ timeout: 50 });
    await expect(ledger.read([alice], [head()])).rejects.toMatchObject({ code: "unavailable" });
  });
});
