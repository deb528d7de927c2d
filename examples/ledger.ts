/**
 * A tour of the ledger on a SQLite file: durable writes, retries, decisions, paging, the change feed, jobs and erasure.
 * `node examples/ledger.ts` after `npm run build`, or with a store URL of your own: `node examples/ledger.ts postgres://…`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  definePlan,
  derivedFrom,
  type FluxError,
  find,
  followChanges,
  get,
  head,
  insert,
  openLedger,
  partition,
  patch,
  work,
} from "flux-memory";

const folder = await mkdtemp(join(tmpdir(), "flux-example-"));
const url = process.argv[2] ?? `sqlite:${join(folder, "memory.db")}`;
const show = (title: string, ...lines: unknown[]) => console.log(`\n${title}\n`, ...lines);

// A partition is one user's memory, and the only way in.
const alice = partition({ userId: "alice", namespace: `tour-${Date.now()}` });
const conversation = [
  ["user", "I moved from Lisbon to Porto last week."],
  ["assistant", "Congratulations! How do you like Porto?"],
  ["user", "Very much. 天気もいいです。 And I adopted a dog, her name is Luna 🐶."],
] as const;

{
  await using ledger = openLedger(url);
  const { adapter, durability } = await ledger.capabilities();
  show("1. Open", `store: ${adapter}, an acknowledged write survives: ${durability}`);

  // One atomic, durable commit. The operation id makes a retry harmless.
  const request = {
    operation: "import-1",
    records: conversation.map(([role, content], i) =>
      insert("message", { sessionId: "monday", role, content, saidAt: Date.UTC(2026, 2, 2, 9, i) }),
    ),
  };
  const first = await ledger.append(alice, request);
  const retry = await ledger.append(alice, request);
  show(
    "2. Append, and append again",
    `ids ${first.ids.join(", ")}\n`,
    `retry replayed: ${retry.replayed}, same ids: ${retry.ids.join() === first.ids.join()}`,
  );
  await ledger.append(alice, { operation: "import-1", records: [] }).catch((error: FluxError) => {
    show("3. The same operation id for something else is refused", `${error.code}: ${error.message}`);
  });

  // A text derived from two of the messages, and a job to look at it, in the same commit.
  const [moved = "", , adopted = ""] = first.ids;
  const sources = [moved, adopted].map((id) => ({ kind: "message", id }));
  await ledger.append(alice, {
    operation: "summary-1",
    records: [
      insert(
        "text",
        {
          form: "summary",
          content: "Alice moved to Porto and has a dog, Luna.",
          provenance: "ai_inferred",
          statedAt: Date.UTC(2026, 2, 2, 10),
        },
        { sources },
      ),
    ],
    jobs: [{ queue: "review", payload: { of: "summary-1" }, sources }],
  });
  const done = await work(ledger, {
    once: true,
    handlers: {
      review: async (job) => show("4. A job", `queue ${job.queue}, about ${job.sources.length} messages`),
    },
  });
  show("5. Jobs done", done);
}

// A decision is taken inside its transaction: fifty callers at once lose nothing.
export const useOnce = definePlan({
  name: "use-once",
  module: import.meta.url,
  reads: () => [find("block", { index: "byName", prefix: [null, "visits"] })],
  decide: (_input: null, [{ items }]) => {
    const [block] = items;
    if (block === undefined) {
      return { mutations: [insert("block", { name: "visits", content: "1", position: 0 })] };
    }
    return { mutations: [patch("block", block.id, { content: String(Number(block.content) + 1) })] };
  },
});

{
  // Everything is there when the store is opened again.
  await using ledger = openLedger(url);
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      ledger.update(alice, { operation: `visit-${i}`, plan: useOnce, input: null }),
    ),
  );
  const [page, blocks, state] = await ledger.read(
    [alice],
    [
      find("message", { index: "bySession", prefix: ["monday"], reverse: true, limit: 2 }),
      find("block"),
      head(),
    ],
  );
  show(
    "6. Read one snapshot",
    ...page.items.map(({ role, content }) => `${role}: ${content}\n`),
    `more: ${page.cursor !== undefined}; visits: ${blocks.items[0]?.content}; records: ${state?.records}`,
  );

  const stop = new AbortController();
  let changes = 0;
  for await (const step of followChanges(ledger, { signal: stop.signal })) {
    changes += step.changes.filter((change) => change.partition.namespace === alice.namespace).length;
    stop.abort();
  }
  show("7. Follow the change feed", `${changes} changes so far`);

  // Erasing one message takes along what was derived from it, in the files as well.
  const [messages] = await ledger.read(
    [alice],
    [find("message", { index: "bySession", prefix: ["monday"] })],
  );
  const erased = messages.items.find(({ content }) => content.includes("Luna"));
  if (erased === undefined) throw new Error("the message about Luna is missing");
  const receipt = await ledger.erase(alice, {
    operation: "forget-luna",
    refs: [{ kind: "message", id: erased.id }],
  });
  const report = await ledger.verify(alice, receipt.id, { probes: ["Luna"] });
  show(
    "8. Erase, and look for what should be gone",
    `${receipt.state}; rows: ${JSON.stringify(receipt.counts)}\n`,
    `clean: ${report.clean}; places that still hold "Luna": ${JSON.stringify(report.probes)}\n`,
    `outside our reach: ${report.outside.join("; ")}`,
  );
  const [message, derived] = await ledger.read(
    [alice],
    [get("message", erased.id), derivedFrom("message", erased.id)],
  );
  show("9. Nothing is left", `message: ${message}; derived: ${derived.length}`);
}

await rm(folder, { recursive: true, force: true });
show("Done.", "Next: docs/ledger.md has the promises behind each of these steps.");
