/**
 * A memory in three lines, asked a question, with the reasons for each answer. Run it with `node examples/quickstart.ts` after
 * `npm run build`, or give it a store of your own: `node examples/quickstart.ts sqlite:./memory.db`.
 */
import { Flux, renderMemories } from "flux-memory";

await using flux = await Flux.open(process.argv[2] ?? "inmemory");
const memory = flux.for({ userId: "alice", sessionId: "monday" });
await memory.store("I moved from Lisbon to Porto, and I am allergic to peanuts.");

// A conversation, in one commit. An item with a role is a message, the others are texts.
const day = Date.UTC(2026, 2, 2, 9);
await memory.storeBatch([
  { role: "user", content: "I adopted a dog last week, her name is Luna.", saidAt: day },
  { role: "assistant", content: "Congratulations! What kind of dog is she?", saidAt: day + 30_000 },
  { role: "user", content: "A corgi. She chews every shoe she finds.", saidAt: day + 60_000 },
  { text: "The user prefers trains to planes.", provenance: "ai_inferred" },
]);

for (const question of ["Which city did I move to?", "What kind of dog do I have?", "Trains or planes?"]) {
  const { hits, confidence, degraded } = await memory.recall(question, { k: 2 });
  console.log(`\n${question} (confidence ${confidence.toFixed(2)}${degraded ? ", degraded" : ""})`);
  for (const { text, author, score, signals } of hits) {
    const reasons = signals.map((signal) => `${signal.name} ${signal.score.toFixed(2)}`).join(", ");
    console.log(
      `  ${score.toFixed(2)}  ${author ? `${author}: ` : ""}${text}\n        because of ${reasons}`,
    );
  }
}

// The same text again is not stored twice, and what a model is given is delimited and escaped.
const again = await memory.store("i moved from Lisbon to Porto, and I am allergic to peanuts");
console.log(`\nThe same text again: ${again.status}`);
console.log(renderMemories(await memory.recall("What am I allergic to?", { k: 1 })));

// What was of use, what is stored, and a change that is taken back.
const { hits, traceId } = await memory.recall("What kind of dog do I have?");
if (traceId !== undefined && hits[0] !== undefined)
  await memory.feedback(traceId, hits[0].id, { useful: true });
const { items } = await memory.list({ kind: "text", order: "oldest" });
const [moved, trains] = items;
if (moved !== undefined && trains !== undefined) {
  const { text, version } = await memory.update(moved.id, {
    text: "I live in Porto, and I am allergic to peanuts.",
  });
  console.log(`\nVersion ${version} says: ${text}`);
  await memory.purge(trains.id);
  console.log(`Purged, and nowhere to be found: ${(await memory.get(trains.id)) === undefined}`);
  console.log(`And back again: ${(await memory.undo(trains.id)).text}`);
}

const { store, embedder, spaces } = await flux.status();
console.log(
  `\nStore: ${store.adapter} (${store.durability}), vectors by ${embedder?.id}, ${spaces.length} indexes`,
);
