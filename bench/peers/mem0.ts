import { join } from "node:path";
import type { Embedder } from "../../src/index.ts";
import { type RecallMemory, renderTurn } from "../recall-memory.ts";
import { speedHits } from "../speed-store.ts";
import { importPeer, peerVersion } from "./peer-packages.ts";
import { type PeerContender, plain } from "./peer-store.ts";

/** What is used of `mem0ai/oss`. */
interface Mem0 {
  add(
    messages: readonly { readonly role: string; readonly content: string }[],
    options: {
      readonly userId: string;
      readonly infer: boolean;
      readonly metadata?: Readonly<Record<string, string>>;
    },
  ): Promise<unknown>;
  search(
    query: string,
    options: { readonly filters: { readonly user_id: string }; readonly topK: number },
  ): Promise<{
    readonly results: readonly { readonly score: number; readonly metadata: { readonly turn: string } }[];
  }>;
  getAll(options: {
    readonly filters: { readonly user_id: string };
    readonly topK: number;
  }): Promise<{ readonly results: readonly unknown[] }>;
}

const about = (): string =>
  `mem0ai/oss ${peerVersion("mem0ai")} (on better-sqlite3 13): vectors and history in SQLite files, infer off; its batch is a loop`;

/** With our embedder, in this process, and no language model: the text is stored as it is, as ours does it. */
async function openMem0(embedder: Embedder, folder: string): Promise<Mem0> {
  // Read when the module is loaded: no figures are sent anywhere.
  process.env.MEM0_TELEMETRY = "false";
  const { Memory } = await importPeer<{ Memory: new (config: object) => Mem0 }>("mem0ai/oss");
  const vectors = async (texts: readonly string[], kind: "query" | "document") =>
    (await embedder.embed(texts, { kind })).map((vector) => [...vector]);
  return new Memory({
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
}

export function mem0(embedder: Embedder): PeerContender {
  return {
    name: "mem0",
    about: about(),
    open: async (folder) => {
      const memory = await openMem0(embedder, folder);
      const userId = "user-0";
      const filters = { user_id: userId };
      return {
        add: (texts) =>
          memory.add(
            texts.map((text) => ({ role: "user", content: plain(text) })),
            { userId, infer: false },
          ),
        search: async (_text, question) =>
          (await memory.search(question, { filters, topK: speedHits })).results.length,
        count: async () => (await memory.getAll({ filters, topK: 100_000 })).results.length,
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

/** The same, to be asked whether what was said is found again. */
export async function mem0Memory(embedder: Embedder, folder: string): Promise<RecallMemory> {
  const memory = await openMem0(embedder, folder);
  console.info(`${about()}.`);
  return {
    embedder: embedder.id,
    add: async (userId, turns) => {
      for (const turn of turns)
        await memory.add([{ role: "user", content: renderTurn(turn) }], {
          ...{ userId, infer: false, metadata: { turn: turn.id } },
        });
    },
    recall: async (userId, question, { k }) => {
      const { results } = await memory.search(question, { filters: { user_id: userId }, topK: k });
      return {
        turns: results.map(({ metadata }) => metadata.turn),
        confidence: results[0]?.score ?? 0,
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
