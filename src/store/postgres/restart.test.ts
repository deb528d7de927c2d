import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../../../test/postgres/database.ts";
import { startWorker } from "../../../test/postgres/worker-process.ts";
import { startPostgres } from "../../../test/servers/postgres.ts";
import type { Change } from "../../model/change.ts";
import { insert } from "../batch.ts";
import { head } from "../read.ts";
import { postgresLedger } from "./ledger.ts";

const alice = { namespace: "n", userId: "alice" };
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

test("a server that is killed and restarted under load loses no acknowledged commit and does none twice", async () => {
  await using server = await startPostgres();
  const { url } = server;
  const schema = "flux";
  {
    await using ledger = postgresLedger({ url, schema });
    await ledger.capabilities();
  }
  const [count, users] = [400, 3];
  const writers = ["a", "b"].map((name) =>
    startWorker({ task: "append", url, schema, name, count, users, callers: 16 }),
  );
  const follower = startWorker<Change[]>({ task: "follow", url, schema, count: 2 * count });
  for (let round = 0; round < 3; round++) {
    const before = writers.reduce((sum, { reports }) => sum + reports.length, 0);
    while (writers.reduce((sum, { reports }) => sum + reports.length, 0) < before + 100) await sleep(5);
    await server.kill();
    await sleep(100);
    await server.restart();
  }
  await Promise.all(writers.map(({ result }) => result));
  const acknowledged = writers.flatMap(({ reports }) => reports);
  expect(new Set(acknowledged).size).toBe(2 * count);
  // Each operation is there, once.
  const rows = await ask<{ id: string; content: string }>(url, `select id, content from flux.message`);
  expect(rows.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
  expect(new Set(rows.map(({ content }) => content)).size).toBe(2 * count);
  // The feed has each once and in order, also for who followed it all the time.
  const seen = await follower.result;
  expect(seen.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
  for (let user = 0; user < users; user++) {
    const own = seen.filter(({ partition }) => partition.userId === `u${user}`).map(({ seq }) => seq);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
});

test("calls outlast a restart that is shorter than the time to retry, and fail after one that is longer", async () => {
  await using server = await startPostgres();
  const patient = postgresLedger({ url: server.url, retryFor: 60_000 });
  const hasty = postgresLedger({ url: server.url, retryFor: 200 });
  onTestFinished(async () => {
    await Promise.all([patient.close(), hasty.close()]);
  });
  await patient.append(alice, { operation: "a", records: [message] });
  await hasty.read([alice], [head()]);
  await server.stop("fast");
  const calls = [
    patient.append(alice, { operation: "b", records: [message] }),
    patient.read([alice], [head()]),
    patient.changes.read(),
    patient.partitions(),
  ];
  const unavailable = { code: "unavailable", retryable: true };
  await expect(hasty.append(alice, { operation: "c", records: [message] })).rejects.toMatchObject(
    unavailable,
  );
  await expect(hasty.read([alice], [head()])).rejects.toMatchObject(unavailable);
  await server.restart();
  await expect(Promise.all(calls)).resolves.toMatchObject([{ seq: 2 }, [{}], {}, {}]);
  await expect(hasty.append(alice, { operation: "c", records: [message] })).resolves.toMatchObject({
    seq: 3,
  });
});

test("a server with no connection left is waited for", async () => {
  await using server = await startPostgres({
    settings: { max_connections: 8, superuser_reserved_connections: 0 },
  });
  const ledgers = Array.from({ length: 4 }, () =>
    postgresLedger({ url: server.url, poolSize: 4, retryFor: 60_000 }),
  );
  onTestFinished(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });
  await ledgers[0]?.capabilities();
  const receipts = await Promise.all(
    ledgers.flatMap((ledger, l) =>
      Array.from({ length: 12 }, (_, i) =>
        ledger.append({ ...alice, userId: `u${i}` }, { operation: `${l}-${i}`, records: [message] }),
      ),
    ),
  );
  expect(receipts).toHaveLength(48);
});
