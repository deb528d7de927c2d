import { RawFts5 } from "./peers/raw-fts5.ts";
import { type RecallMemory, renderTurn } from "./recall-memory.ts";

/** The baseline: SQLite's own full-text search over the turns. */
export function fts5Memory(): RecallMemory {
  const store = new RawFts5(":memory:");
  return {
    embedder: "none (FTS5)",
    add: async (user, turns) =>
      store.add(
        user,
        turns.map((turn) => ({ label: turn.id, content: renderTurn(turn) })),
      ),
    recall: async (user, question, { k }) => {
      const found = store.search(user, question, k);
      return { turns: found.map(({ label }) => label), confidence: found[0]?.score ?? 0 };
    },
    [Symbol.asyncDispose]: async () => store.close(),
  };
}
