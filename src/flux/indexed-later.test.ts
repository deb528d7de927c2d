import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { FluxError } from "../model/errors.ts";
import { partition } from "../model/partition.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { find } from "../store/read.ts";
import { createAnalyser } from "../text/analyser.ts";
import { Flux } from "./flux.ts";
import { indexAttempts, indexQueue } from "./index-queue.ts";

const alice = partition({ userId: "alice" });
const hour = 3_600_000;
const offline = () => {
  throw new Error("no network");
};

onEveryStore((store) => {
  const openOne = async (options: Parameters<typeof Flux.open>[1] = {}) => {
    const clock = new ManualClock();
    const embedder = new TestEmbedder();
    const ledger = store.open(store.place(), { clock });
    const flux = await Flux.open(ledger, { clock, embedder, ...options });
    return {
      ...{ clock, ledger, flux, embedder, memory: flux.for({ userId: "alice", sessionId: "s" }) },
      async meaningOf(query: string) {
        const { hits } = await this.memory.recall(query);
        return hits.flatMap(({ text, signals }) =>
          signals.some(({ name }) => name === "meaning") ? [text] : [],
        );
      },
      async [Symbol.asyncDispose]() {
        await flux.close();
        await ledger.close();
      },
    };
  };

  test("what cannot be embedded is stored and found by words, and embedded by work", async () => {
    await using one = await openOne();
    one.embedder.before = offline;
    const results = await one.memory.storeBatch(
      [{ text: "I have a dog" }, { role: "user", content: "" }, { text: "I have a cat" }],
      { operation: "o" },
    );
    expect(results.map(({ indexed }) => indexed)).toEqual(["later", "now", "later"]);
    expect((await one.memory.recall("dog")).hits[0]?.text).toBe("I have a dog");
    expect((await one.flux.status()).pending).toEqual({ jobs: 1, dead: 0 });
    one.embedder.before = () => undefined;
    // The retry of a call is the same call, though its entries could be made by now.
    expect(
      await one.memory.storeBatch(
        [{ text: "I have a dog" }, { role: "user", content: "" }, { text: "I have a cat" }],
        { operation: "o" },
      ),
    ).toEqual(results);
    expect(await one.meaningOf("dog")).toEqual([]);
    one.clock.advance(2000);
    expect(await one.flux.work({ once: true })).toBe(1);
    expect((await one.flux.status()).pending).toEqual({ jobs: 0, dead: 0 });
    expect((await one.meaningOf("I have a dog")).toSorted()).toEqual(["I have a cat", "I have a dog"]);
    expect(await one.flux.work({ once: true })).toBe(0);
  });

  test("of a large batch what was embedded before the failure is indexed at once", async () => {
    await using one = await openOne();
    one.embedder.before = (texts) => {
      if (texts.some((text) => text.includes("200"))) offline();
    };
    const items = Array.from({ length: 300 }, (_, i) => ({ text: `text number ${i}` }));
    const results = await one.memory.storeBatch(items);
    const later = results.map(({ indexed }) => indexed === "later").indexOf(true);
    expect(later).toBe(128);
    expect(one.embedder.calls).toBe(2);
  });

  test("an embedder that makes vectors of the wrong length, or none, or is too slow, loses nothing", async () => {
    await using one = await openOne({ modelTimeout: 300 });
    one.embedder.after = (vectors) => vectors.map(() => new Float32Array(3));
    expect((await one.memory.store("one dog")).indexed).toBe("later");
    one.embedder.after = () => [];
    expect((await one.memory.store("two dogs")).indexed).toBe("later");
    one.embedder.after = () => undefined as never;
    expect((await one.memory.store("three dogs")).indexed).toBe("later");
    one.embedder.after = (vectors) => vectors.map((vector) => vector.fill(Number.NaN));
    expect((await one.memory.store("four dogs")).indexed).toBe("later");
    one.embedder.after = (vectors) => vectors;
    one.embedder.before = () => new Promise(() => undefined);
    expect((await one.memory.store("five dogs")).indexed).toBe("later");
    expect((await one.memory.recall("dogs")).hits).toHaveLength(5);
  });

  test("why an embedder fails is told by recall, by work and by status, and no longer once it works", async () => {
    await using one = await openOne();
    const refused = new FluxError("unauthorized", "s3cret", { hint: "Look at the key." });
    one.embedder.before = () => {
      throw refused;
    };
    expect((await one.memory.store("I have a dog")).indexed).toBe("later");
    const cause = { code: "unauthorized", hint: "Look at the key.", retryable: false };
    const { degraded } = await one.memory.recall("dog");
    expect(degraded).toEqual([
      { code: "embedder_failed", reason: "The embedder could not embed the query", cause },
    ]);
    one.clock.advance(2000);
    const errors: unknown[] = [];
    const onError = (error: unknown, { queue }: { readonly queue: string }) => errors.push([error, queue]);
    expect(await one.flux.work({ once: true, onError })).toBe(0);
    const dense = (await one.flux.status()).spaces.find(({ kind }) => kind === "dense");
    expect(errors).toEqual([[refused, indexQueue(dense?.id ?? 0)]]);
    const status = await one.flux.status();
    expect(status.pending).toEqual({ jobs: 1, dead: 0, errors: ["unauthorized"] });
    expect(status.degraded).toMatchObject([{ code: "index_incomplete", cause: { code: "unauthorized" } }]);
    one.embedder.before = () => undefined;
    one.clock.advance(hour);
    expect(await one.flux.work({ once: true, onError })).toBe(1);
    expect(await one.flux.status()).toMatchObject({ degraded: [], pending: { jobs: 0, dead: 0 } });
  });

  test("an analyser that fails is an error, with nothing written", async () => {
    const bug = new TypeError("of ours");
    const analyser = { id: "custom/1", analyse: (text: string) => createAnalyser().analyse(text) };
    await using one = await openOne({ analyser });
    analyser.analyse = () => {
      throw bug;
    };
    const failure = { code: "invalid_argument", cause: bug };
    await expect(one.memory.store("I have a dog")).rejects.toMatchObject(failure);
    await expect(one.memory.recall("dog")).rejects.toMatchObject(failure);
    const [texts] = await one.ledger.read([alice], [find("text")]);
    expect(texts.items).toEqual([]);
  });

  test("close waits for no model: what is stored is embedded later, what is asked goes on without", async () => {
    const hang = () => new Promise<never>(() => undefined);
    await using one = await openOne({ reranker: { id: "slow", rerank: hang } });
    await one.memory.store("I have a dog");
    one.embedder.before = hang;
    const storing = one.memory.store("I have a cat");
    const asking = one.memory.recall("dog");
    await one.flux.close();
    expect(await storing).toMatchObject({ status: "stored", indexed: "later" });
    const { hits, degraded } = await asking;
    expect(hits[0]?.text).toBe("I have a dog");
    expect(degraded).toMatchObject([
      { code: "embedder_failed", cause: { code: "closed" } },
      { code: "reranker_failed", cause: { code: "closed" } },
    ]);
  });

  test("failed attempts wait longer each time, and end as dead letters that rebuild takes up", async () => {
    await using one = await openOne();
    one.embedder.before = offline;
    await one.memory.store("I have a dog");
    const waits: number[] = [];
    for (let i = 0; i < indexAttempts + 2; i++) {
      const [space] = (await one.flux.status()).spaces.filter(({ kind }) => kind === "dense");
      const { jobs } = await one.ledger.jobs.list(alice, { queue: indexQueue(space?.id ?? 0) });
      if (jobs[0] !== undefined) waits.push(jobs[0].readyAt - one.clock.now());
      one.clock.advance(hour);
      expect(await one.flux.work({ once: true })).toBe(0);
    }
    expect(waits.slice(0, 5)).toEqual([1000, 1000, 2000, 4000, 8000]);
    expect(waits).toHaveLength(indexAttempts);
    expect(Math.max(...waits)).toBe(hour);
    const dead = await one.flux.status();
    expect(dead.pending).toEqual({ jobs: 0, dead: 1, errors: ["Error"] });
    expect(dead.degraded).toMatchObject([{ code: "index_incomplete", cause: { code: "Error" } }]);
    one.embedder.before = () => undefined;
    await one.flux.rebuild();
    expect((await one.flux.status()).pending).toEqual({ jobs: 0, dead: 0 });
    expect(await one.meaningOf("dog")).toEqual(["I have a dog"]);
  });

  test("what was erased while it waited is passed over", async () => {
    await using one = await openOne();
    one.embedder.before = offline;
    const [dog, cat] = await one.memory.storeBatch([{ text: "I have a dog" }, { text: "I have a cat" }]);
    await one.memory.store("I have a bird");
    await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: dog?.id ?? "" }] });
    one.embedder.before = () => undefined;
    one.clock.advance(2000);
    await one.flux.work({ once: true });
    expect(one.embedder.texts.filter((text) => text.startsWith("I have")).toSorted()).toEqual([
      "I have a bird",
      "I have a cat",
    ]);
    expect((await one.meaningOf("I have a cat")).toSorted()).toEqual(["I have a bird", "I have a cat"]);
    expect((await one.flux.status()).pending).toEqual({ jobs: 0, dead: 0 });
    expect(cat?.status).toBe("stored");
  });

  test("work goes on until it is told to stop, and takes what comes meanwhile", async () => {
    await using one = await openOne();
    const stop = new AbortController();
    const working = one.flux.work({ signal: stop.signal });
    one.embedder.before = offline;
    await one.memory.store("I have a dog");
    one.embedder.before = () => undefined;
    one.clock.advance(2000);
    await expect.poll(() => one.meaningOf("dog")).toEqual(["I have a dog"]);
    stop.abort();
    expect(await working).toBe(1);
  });

  test("a call that is aborted while it embeds writes nothing", async () => {
    await using one = await openOne();
    const reason = new Error("enough");
    const stop = new AbortController();
    one.embedder.before = () => {
      stop.abort(reason);
      return new Promise(() => undefined);
    };
    await expect(one.memory.store("I have a dog", { signal: stop.signal })).rejects.toBe(reason);
    one.embedder.before = () => undefined;
    expect((await one.memory.recall("dog")).hits).toEqual([]);
  });
});
