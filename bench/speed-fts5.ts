import { RawFts5 } from "./peers/raw-fts5.ts";
import { type SpeedStore, speedHits } from "./speed-store.ts";
import { sqliteSizes } from "./sqlite-sizes.ts";

/** The peer: SQLite's own full-text search over the same texts. */
export function fts5Store(path: string, remove: () => Promise<void>): SpeedStore {
  const store = new RawFts5(path);
  return {
    add: async (user, texts) =>
      store.add(
        user,
        texts.map(({ number, speaker, content }) => ({
          label: String(number),
          content: `${speaker}: ${content}`,
        })),
      ),
    recall: async (user, question) => ({
      found: store.search(user, question, speedHits).map(({ content }) => content),
    }),
    sizes: async () => sqliteSizes(path),
    [Symbol.asyncDispose]: async () => {
      store.close();
      await remove();
    },
  };
}
