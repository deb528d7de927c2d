import { expect, test } from "vitest";
import { Flux } from "../flux/flux.ts";
import type { PendingOptions } from "../flux/flux-memory.ts";
import { FluxError } from "../model/errors.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { FeedbackDebt } from "./feedback-debt.ts";

const grace = 60_000;
const maxBlock = 86_400_000;

/** A memory with something about tea, a debt that is enforced, and the looks into the store that this took. */
async function open({ mostKeys = 100 } = {}) {
  const clock = new ManualClock();
  const ledger = inMemoryLedger({ clock });
  const flux = await Flux.open(ledger, { clock, embedder: false });
  const memory = flux.for({ userId: "alice", caller: "codex:chat" });
  const debt = new FeedbackDebt({ grace, maxBlock, clock, mostKeys });
  const looks: PendingOptions[] = [];
  const watched = {
    pendingFeedback(options: PendingOptions = {}) {
      looks.push(options);
      return memory.pendingFeedback(options);
    },
  };
  const [stored] = (await memory.store("Alice likes tea")).grainIds;
  return {
    ...{ clock, flux, memory, looks, grainId: stored as string },
    check: (key = "codex:chat") => debt.check(key, watched),
    /** Recalls, and has the trace written at this moment. */
    async recall(query = "tea"): Promise<string> {
      const { traceId } = await memory.recall(query);
      await flux.flush();
      return traceId as string;
    },
    async [Symbol.asyncDispose]() {
      await flux.close();
      await ledger.close();
    },
  };
}

test("a recall is owed feedback from its grace on until it is given", async () => {
  await using one = await open();
  const traceId = await one.recall();
  const askedAt = one.clock.now();
  one.clock.advance(grace - 1);
  await one.check();
  one.clock.advance(1);
  for (let i = 0; i < 2; i++) {
    await expect(one.check()).rejects.toMatchObject({
      ...{ code: "feedback_required", retryable: false },
      details: { pending: [{ traceId, askedAt, grainIds: [one.grainId] }] },
    });
  }
  await one.memory.feedback(traceId, one.grainId, { useful: false });
  await one.check();
});

test("of a recall that has some feedback, the rest is owed", async () => {
  await using one = await open();
  const [other] = (await one.memory.store("Tea is served at five")).grainIds;
  const traceId = await one.recall();
  await one.memory.feedback(traceId, one.grainId, { useful: true });
  one.clock.advance(grace);
  await expect(one.check()).rejects.toMatchObject({ details: { pending: [{ traceId, grainIds: [other] }] } });
});

test("the error names the five oldest recalls, says nothing of what was asked, and survives a wire", async () => {
  await using one = await open();
  const traces: string[] = [];
  for (let i = 0; i < 7; i++) {
    one.clock.advance(1);
    traces.push(await one.recall(`tea, secretly, ${i}`));
  }
  one.clock.advance(grace);
  const error = await one.check().catch((reason: FluxError) => reason);
  const json = JSON.stringify(error);
  expect(json).not.toContain("secretly");
  const { details } = FluxError.fromJSON(JSON.parse(json));
  const { pending } = details as { readonly pending: readonly { readonly traceId: string }[] };
  expect(pending.map(({ traceId }) => traceId)).toEqual(traces.slice(0, 5));
});

test("a recall without hits owes nothing, and one of long ago is forgiven", async () => {
  await using one = await open();
  await one.recall("coffee");
  one.clock.advance(grace);
  await one.check();
  await one.recall();
  one.clock.advance(maxBlock);
  await expect(one.check()).rejects.toThrow(FluxError);
  one.clock.advance(1);
  await one.check();
});

test("what was erased is owed no more", async () => {
  await using one = await open();
  await one.recall();
  one.clock.advance(grace);
  await expect(one.check()).rejects.toThrow(FluxError);
  await one.memory.erase({ everything: true });
  await one.check();
});

test("while nothing is owed, the store is asked once in a grace, and for what is new alone", async () => {
  await using one = await open();
  for (let i = 0; i < 600; i++) {
    await one.check();
    if (i % 100 === 0) {
      const traceId = await one.recall();
      await one.memory.feedback(traceId, one.grainId, { useful: true });
    }
    one.clock.advance(1000);
  }
  expect(one.looks).toHaveLength(10);
  for (const { since = 0 } of one.looks.slice(1)) expect(since).toBeGreaterThan(one.clock.now() - 800_000);
});

test("a recall whose record comes late is owed all the same", async () => {
  await using one = await open();
  const traceId = (await one.memory.recall("tea")).traceId;
  await one.check();
  one.clock.advance(grace);
  await expect(one.check()).rejects.toMatchObject({ details: { pending: [{ traceId }] } });
});

test("a clock that is set back neither blocks nor frees anybody", async () => {
  await using one = await open();
  one.clock.advance(10 * grace);
  await one.check();
  one.clock.advance(-9 * grace);
  await one.check();
  const traceId = await one.recall();
  one.clock.advance(10 * grace);
  await expect(one.check()).rejects.toMatchObject({ details: { pending: [{ traceId }] } });
});

test("callers that come and go are forgotten", async () => {
  await using one = await open({ mostKeys: 3 });
  for (const key of ["a", "b", "c", "d"]) await one.check(key);
  await one.check("d");
  expect(one.looks).toHaveLength(4);
  await one.check("a");
  expect(one.looks).toHaveLength(5);
});

test("debts that cannot be read keep nobody from recalling; a signal does", async () => {
  await using one = await open();
  const debt = new FeedbackDebt({ grace, maxBlock, clock: one.clock });
  const away = { pendingFeedback: () => Promise.reject(new FluxError("storage_readonly", "Read-only")) };
  await debt.check("codex:chat", away);
  const broken = { pendingFeedback: () => Promise.reject(new TypeError("a mistake of ours")) };
  await expect(debt.check("codex:chat", broken)).rejects.toThrow("a mistake of ours");
  const signal = AbortSignal.abort(new Error("no longer wanted"));
  await expect(debt.check("codex:chat", one.memory, signal)).rejects.toThrow("no longer wanted");
});
