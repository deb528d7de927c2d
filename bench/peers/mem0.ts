import { join } from "node:path";
import type { Embedder } from "../../src/index.ts";
import { speedHits } from "../speed-store.ts";
import { importPeer, peerVersion } from "./peer-packages.ts";
import { type PeerContender, plain } from "./peer-store.ts";

/** What is used of `mem0ai/oss`. */
interface Mem0 {
  Memory: new (
    config: object,
  ) => {
    add(
      messages: readonly { readonly role: string; readonly content: string }[],
      options: { readonly userId: string; readonly infer: boolean },
    ): Promise<unknown>;
    search(
      query: string,
      options: { readonly filters: { readonly user_id: string }; readonly topK: number },
    ): Promise<{ readonly results: readonly unknown[] }>;
  };
}

/** With our embedder, in this process, and no language model: the text is stored as it is, as ours does it. */
export function mem0(embedder: Embedder): PeerContender {
  return {
    name: "mem0",
    about: `mem0ai/oss ${peerVersion("mem0ai")} (on better-sqlite3 13): vectors and history in SQLite files, infer off; its batch is a loop`,
    open: async (folder) => {
      // Read when the module is loaded: no figures are sent anywhere.
      process.env.MEM0_TELEMETRY = "false";
      const { Memory } = await importPeer<Mem0>("mem0ai/oss");
      const vectors = async (texts: readonly string[], kind: "query" | "document") =>
        (await embedder.embed(texts, { kind })).map((vector) => [...vector]);
      const memory = new Memory({
        vectorStore: {
          provider: "memory",
          config: {
            collectionName: "bench",
            dimension: embedder.dimensions,
            dbPath: join(folder, "vectors.db"),
          },
        },
        historyStore: { provider: "sqlite", config: { historyDbPath: join(folder, "history.db") } },
        embedder: {
          provider: "langchain",
          config: {
            model: {
              embedQuery: async (text: string) => (await vectors([text], "query"))[0],
              embedDocuments: (texts: readonly string[]) => vectors(texts, "document"),
            },
          },
        },
        // Asked for, and never called.
        llm: { provider: "openai", config: { apiKey: "none", baseURL: "http://127.0.0.1:9" } },
      });
      const userId = "user-0";
      return {
        add: (texts) =>
          memory.add(
            texts.map((text) => ({ role: "user", content: plain(text) })),
            { userId, infer: false },
          ),
        search: async (_text, question) => {
          const options = { filters: { user_id: userId }, topK: speedHits };
          return (await memory.search(question, options)).results.length;
        },
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}
