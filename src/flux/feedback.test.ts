import { expect, test, vi } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { FluxError } from "../model/errors.ts";
import { partition } from "../model/partition.ts";
import { find } from "../store/read.ts";
import type { FluxMemory } from "./flux-memory.ts";

const alice = partition({ userId: "alice" });
const day = 24 * 3_600_000;

async function ask(memory: FluxMemory, query: string): Promise<{ traceId: string; grainIds: string[] }> {
  const { traceId = "", hits } = await memory.recall(query);
  return { traceId, grainIds: hits.map(({ id }) => id) };
}

onEveryStore((store) => {
  const openOne = async () => {
    const one = await openMemory(store);
    await one.memory.storeBatch(["tea", "coffee", "cocoa"].map((drink) => ({ text: `Ann likes ${drink}` })));
    const rows = async () => {
      const [page] = await one.ledger.read([alice], [find("feedback")]);
      return page.items.map(({ traceId, grainId, useful, caller }) => ({ traceId, grainId, useful, caller }));
    };
    return Object.assign(one, { rows });
  };

  test("feedback counts right after the recall, once, and can be taken back", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const [grainId = ""] = grainIds;
    expect(grainIds).toHaveLength(3);
    const say = (useful: boolean) => one.memory.feedback(traceId, grainId, { useful });
    expect(await say(true)).toEqual({ traceId, grainId, useful: true, status: "recorded" });
    expect(await say(true)).toEqual({ traceId, grainId, useful: true, status: "unchanged" });
    expect(await say(false)).toEqual({ traceId, grainId, useful: false, status: "changed" });
    expect(await one.rows()).toEqual([{ traceId, grainId, useful: false, caller: undefined }]);
  });

  test("a batch is recorded as a whole or not at all", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const items = grainIds.map((grainId, i) => ({ traceId, grainId, useful: i > 0 }));
    await expect(
      one.memory.feedbackBatch([...items, { traceId, grainId: "none", useful: true }]),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await one.rows()).toEqual([]);
    const twice = [...items, ...items.map((item) => ({ ...item, useful: true }))];
    const results = await one.memory.feedbackBatch(twice);
    expect(results.map(({ status }) => status)).toEqual([
      ...["recorded", "recorded", "recorded", "changed", "unchanged", "unchanged"],
    ]);
    expect((await one.rows()).map(({ useful }) => useful)).toEqual([true, true, true]);
    expect(await one.memory.feedbackBatch([])).toEqual([]);
  });

  test("fifty callers at once leave one row for each of them, and one for one", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const [grainId = ""] = grainIds;
    const same = await Promise.all(
      Array.from({ length: 50 }, () => one.memory.feedback(traceId, grainId, { useful: true })),
    );
    expect(same.filter(({ status }) => status === "recorded")).toHaveLength(1);
    expect(await one.rows()).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        one.flux
          .for({ userId: "alice", caller: `bot-${i}:chat` })
          .feedback(traceId, grainId, { useful: i > 5 }),
      ),
    );
    expect(await one.rows()).toHaveLength(11);
  });

  test("a retry has the same answer, another call under its id none", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const [grainId = ""] = grainIds;
    const options = { useful: true, operation: "f" };
    const first = await one.memory.feedback(traceId, grainId, options);
    await one.memory.feedback(traceId, grainId, { useful: false });
    expect(await one.memory.feedback(traceId, grainId, options)).toEqual(first);
    expect((await one.rows()).map(({ useful }) => useful)).toEqual([false]);
    await expect(one.memory.feedback(traceId, grainId, { ...options, useful: false })).rejects.toMatchObject({
      code: "operation_conflict",
    });
  });

  test("the recall of a caller takes feedback of that caller alone", async () => {
    await using one = await openOne();
    const chat = one.flux.for({ userId: "alice", caller: "bot:chat" });
    const { traceId, grainIds } = await ask(chat, "What does Ann like?");
    const [grainId = ""] = grainIds;
    for (const caller of [undefined, "bot:cron", "BOT:chat"]) {
      const other = one.flux.for({ userId: "alice", caller });
      await expect(other.feedback(traceId, grainId, { useful: true })).rejects.toMatchObject({
        code: "forbidden",
      });
      expect(await other.pendingFeedback()).toEqual([]);
    }
    await chat.feedback(traceId, grainId, { useful: true });
    expect(await one.rows()).toEqual([{ traceId, grainId, useful: true, caller: "bot:chat" }]);
  });

  test("recalls and hits that are not there are not found, those of another user neither", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const [grainId = ""] = grainIds;
    const bob = one.flux.for({ userId: "bob" });
    const { id: _id, grainIds: others } = await bob.store("Bob likes tea");
    const wrong = [
      () => bob.feedback(traceId, grainId, { useful: true }),
      () => one.memory.feedback(traceId, others[0] ?? "", { useful: true }),
      () => one.memory.feedback("nothing", grainId, { useful: true }),
      () => one.memory.feedback(traceId.toUpperCase(), grainId, { useful: true }),
    ];
    for (const call of wrong) await expect(call()).rejects.toMatchObject({ code: "not_found" });
    expect(await one.rows()).toEqual([]);
    expect(await bob.pendingFeedback()).toEqual([]);
  });

  test("what is given is checked", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    const [grainId = ""] = grainIds;
    const wrong: [() => Promise<unknown>, string][] = [
      [() => one.memory.feedback(traceId, grainId, { useful: "yes" } as never), "invalid_argument"],
      [() => one.memory.feedback(traceId, grainId, {} as never), "invalid_argument"],
      [() => one.memory.feedback(traceId, grainId, undefined as never), "invalid_argument"],
      [() => one.memory.feedback(traceId, grainId, { useful: true, score: 1 } as never), "invalid_argument"],
      [() => one.memory.feedback("", grainId, { useful: true }), "invalid_id"],
      [() => one.memory.feedback(traceId, 5 as never, { useful: true }), "invalid_id"],
      [() => one.memory.feedback(traceId, "\ud800", { useful: true }), "invalid_id"],
      [() => one.memory.feedbackBatch({} as never), "invalid_argument"],
      [() => one.memory.feedbackBatch([null as never]), "invalid_argument"],
      [
        () =>
          one.memory.feedbackBatch(Array.from({ length: 1001 }, () => ({ traceId, grainId, useful: true }))),
        "too_large",
      ],
      [() => one.memory.pendingFeedback({ limit: 0 }), "invalid_argument"],
      [() => one.memory.pendingFeedback({ since: Number.NaN }), "invalid_argument"],
      [() => one.memory.pendingFeedback({ all: true } as never), "invalid_argument"],
    ];
    for (const [call, code] of wrong) await expect(call()).rejects.toMatchObject({ code });
    await expect(
      one.memory.feedback(traceId, grainId, { useful: true, signal: AbortSignal.abort("enough") }),
    ).rejects.toBe("enough");
    expect(await one.rows()).toEqual([]);
  });

  test("pending are the hits without feedback, the oldest recall first", async () => {
    await using one = await openOne();
    const start = one.clock.now();
    const first = await ask(one.memory, "What does Ann like?");
    await one.flux.flush();
    one.clock.advance(1000);
    const second = await ask(one.memory, "Does Ann like tea?");
    await ask(one.flux.for({ userId: "bob" }), "Does Ann like tea?");
    const [grainId = ""] = first.grainIds;
    await one.memory.feedback(first.traceId, grainId, { useful: true });
    const pending = await one.memory.pendingFeedback();
    expect(pending).toEqual([
      {
        ...{ traceId: first.traceId, query: "What does Ann like?", askedAt: start, hits: 3 },
        grainIds: first.grainIds.slice(1),
      },
      {
        ...{ traceId: second.traceId, query: "Does Ann like tea?", askedAt: start + 1000 },
        ...{ hits: second.grainIds.length, grainIds: second.grainIds },
      },
    ]);
    expect(await one.memory.pendingFeedback({ limit: 1 })).toEqual(pending.slice(0, 1));
    expect(await one.memory.pendingFeedback({ since: start + 1 })).toEqual(pending.slice(1));
    await one.memory.feedbackBatch(
      second.grainIds.map((id) => ({ traceId: second.traceId, grainId: id, useful: false })),
    );
    expect(await one.memory.pendingFeedback()).toEqual(pending.slice(0, 1));
    one.clock.advance(31 * day);
    expect(await one.memory.pendingFeedback()).toEqual([]);
  });

  test("where nothing can be written, what was written before is pending, and the health is told", async () => {
    await using one = await openOne();
    const { traceId } = await ask(one.memory, "What does Ann drink?");
    await one.flux.flush();
    const full = new FluxError("storage_full", "The disk is full", { retryable: true });
    const write = vi.spyOn(one.ledger, "update").mockRejectedValue(full);
    const { memory } = one;
    expect((await ask(memory, "What does Ann like?")).grainIds).toHaveLength(3);
    expect(await memory.pendingFeedback()).toMatchObject([{ traceId }]);
    expect(await memory.health()).toMatchObject({ status: "healthy", pendingFeedback: 1 });
    expect(write).toHaveBeenCalled();
    write.mockRestore();
    expect(await memory.pendingFeedback()).toHaveLength(2);
  });

  test("recalls that have all of their feedback, or found nothing, are not looked at again", async () => {
    await using one = await openOne();
    const waiting = async (): Promise<number> => {
      await one.flux.flush();
      const op = find("trace", { index: "byCaller", prefix: [null, null] });
      const [page] = await one.ledger.read([alice], [op]);
      return page.items.length;
    };
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    await one.memory.recall("zzz", { where: { sessionIds: ["none"] } });
    expect(await waiting()).toBe(1);
    const other = one.flux.for({ userId: "alice", caller: "bot:chat" });
    await other.feedbackBatch(grainIds.map((grainId) => ({ traceId, grainId, useful: true })));
    expect(await waiting()).toBe(1);
    for (const [i, grainId] of grainIds.entries()) {
      await one.memory.feedback(traceId, grainId, { useful: true });
      expect(await waiting()).toBe(i === grainIds.length - 1 ? 0 : 1);
    }
    await one.memory.feedback(traceId, grainIds[0] ?? "", { useful: false });
    expect(await waiting()).toBe(0);
  });

  test("an erasure takes feedback along, and leaves nothing pending", async () => {
    await using one = await openOne();
    const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
    await one.memory.feedbackBatch(
      grainIds.map((grainId) => ({ traceId, grainId, useful: true })),
      {
        operation: "f",
      },
    );
    await one.memory.erase({ id: grainIds[0] ?? "" });
    expect((await one.rows()).map(({ grainId }) => grainId).sort()).toEqual(grainIds.slice(1).sort());
    expect(await one.memory.pendingFeedback()).toEqual([]);
    const again = one.memory.feedbackBatch(
      grainIds.map((grainId) => ({ traceId, grainId, useful: true })),
      { operation: "f" },
    );
    await expect(again).rejects.toMatchObject({ code: "erased" });
  });
});

onEveryStore(
  (store) => {
    test("another process gives feedback on a recall once its trace is written", async () => {
      await using one = await openMemory(store);
      await one.memory.store("Ann likes tea");
      const { traceId, grainIds } = await ask(one.memory, "What does Ann like?");
      await one.flux.flush();
      await using other = await openMemory({ ...store, place: () => one.place });
      expect(await other.memory.pendingFeedback()).toMatchObject([{ traceId }]);
      await other.memory.feedback(traceId, grainIds[0] ?? "", { useful: true });
      expect(await one.memory.pendingFeedback()).toEqual([]);
    });
  },
  { shared: true },
);
