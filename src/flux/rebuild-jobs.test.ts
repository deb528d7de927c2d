import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { FluxError } from "../model/errors.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { Flux } from "./flux.ts";

/** The ledger with some of its members replaced. */
function withMembers(ledger: Ledger, members: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get: (target, name) => {
      if (name in members) return members[name as keyof Ledger];
      const value: unknown = target[name as keyof Ledger];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A clock that jumps over the pauses between attempts. */
function jumpingClock() {
  let skew = 0;
  return {
    now: () => Date.now() + skew,
    jump: () => setTimeout(() => (skew += 600_000), 20),
  };
}

const users = (count: number) => Array.from({ length: count }, (_, i) => `user ${i}`);

onEveryStore((store) => {
  test("partitions are walked through some at a time, all of them, and counted", async () => {
    await using ledger = store.open(store.place());
    await using flux = await Flux.open(ledger, { embedder: "hash" });
    for (const userId of users(20)) await flux.for({ userId }).store(`${userId} has a dog`);
    const next = new TestEmbedder("new/1");
    let running = 0;
    let most = 0;
    const enough = Promise.withResolvers<void>();
    next.before = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 8) enough.resolve();
      await enough.promise;
      running -= 1;
    };
    const progress: string[] = [];
    await flux.rebuild({
      embedder: next,
      onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
    });
    expect(most).toBe(8);
    expect(next.texts).toHaveLength(20);
    expect(progress.at(-1)).toBe("20/20");
    for (const userId of users(20)) {
      const { hits, degraded } = await flux.for({ userId }).recall("dog");
      expect([hits[0]?.text, degraded]).toEqual([`${userId} has a dog`, undefined]);
    }
  });

  test("a process that is open already finds an embedder of this package that a rebuild brought", async () => {
    await using ledger = store.open(store.place());
    await using one = await Flux.open(ledger, { embedder: new TestEmbedder() });
    await using other = await Flux.open(ledger, { embedder: new TestEmbedder() });
    await one.for({ userId: "ann" }).store("I have a dog");
    await one.rebuild({ embedder: "hash" });
    const { hits, degraded } = await other.for({ userId: "ann" }).recall("dogs");
    expect(degraded).toBeUndefined();
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("meaning");
    expect((await other.for({ userId: "ann" }).store("I have a cat")).indexed).toBe("now");
    expect((await other.status()).embedder?.available).toBe(true);
  });

  test("what was left to do for an index that was dropped, given up or not, is taken away by work", async () => {
    const clock = jumpingClock();
    await using ledger = store.open(store.place(), { clock });
    const old = new TestEmbedder("old/1");
    await using flux = await Flux.open(ledger, { embedder: old });
    old.before = () => {
      throw new Error("no network");
    };
    for (const userId of users(3)) await flux.for({ userId }).store("I have a dog");
    const queues = (await ledger.spaces.list()).map(({ id }) => `index/${id}`);
    const left = async () => (await ledger.jobs.count({ queues })).reduce((sum, { count }) => sum + count, 0);
    expect((await flux.status()).pending.jobs).toBe(3);
    const [job] = await ledger.jobs.claim({ queues, leaseFor: 1000 }).then(async (none) => {
      clock.jump();
      await new Promise((resolve) => setTimeout(resolve, 60));
      return none.length > 0 ? none : ledger.jobs.claim({ queues, leaseFor: 1000 });
    });
    if (job === undefined) throw new Error("no job is ready");
    await ledger.jobs.fail(job, { error: "timeout", dead: true });
    await flux.rebuild({ embedder: new TestEmbedder("new/1") });
    expect(await left()).toBe(3);
    expect((await flux.status()).pending).toEqual({ jobs: 0, dead: 0 });
    await flux.work({ once: true });
    expect(await left()).toBe(0);
  });
});

test("status looks at no partition, however many there are", async () => {
  const ledger = inMemoryLedger();
  const embedder = new TestEmbedder();
  await using flux = await Flux.open(
    withMembers(ledger, { partitions: () => Promise.reject(new Error("partitions were listed")) }),
    { embedder },
  );
  embedder.before = () => {
    throw new Error("no network");
  };
  for (const userId of users(1200)) await flux.for({ userId }).store("I have a dog");
  expect((await flux.status()).pending).toEqual({ jobs: 1200, dead: 0 });
});

test("a rebuild that is given up says what stopped it, the embedder or the store, with its code", async () => {
  const clock = jumpingClock();
  const ledger = inMemoryLedger({ clock });
  await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
  await flux.for({ userId: "ann" }).store("I have a dog");
  const next = new TestEmbedder("new/1");
  const failures = [
    [new Error("no network"), "model_failed"],
    [new FluxError("rate_limited", "Slow down"), "rate_limited"],
  ] as const;
  for (const [failure, code] of failures) {
    next.before = () => {
      clock.jump();
      throw failure;
    };
    const error = await flux.rebuild({ embedder: next }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, retryable: true, cause: failure });
  }
  next.before = () => undefined;
  const full = new FluxError("storage_full", "The disk is full");
  const broken = withMembers(ledger, {
    index: () => {
      clock.jump();
      return Promise.reject(full);
    },
  });
  {
    await using other = await Flux.open(broken, { embedder: new TestEmbedder("old/1") });
    const error = await other.rebuild({ embedder: next }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "storage_full", cause: full });
  }
  await flux.rebuild({ embedder: next });
  expect(await flux.status()).toMatchObject({
    embedder: { id: "new/1", available: true },
    degraded: [],
    pending: { jobs: 0, dead: 0 },
  });
});

test("a rebuild whose place another one takes says so", async () => {
  const ledger = inMemoryLedger();
  await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
  await flux.for({ userId: "ann" }).store("I have a dog");
  const first = new TestEmbedder("first/1");
  first.before = () => {
    first.before = () => undefined;
    return flux.rebuild({ embedder: new TestEmbedder("second/1") });
  };
  await expect(flux.rebuild({ embedder: first })).rejects.toMatchObject({ code: "index_changed" });
  expect((await flux.status()).embedder?.id).toBe("second/1");
});
