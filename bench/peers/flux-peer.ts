import { join } from "node:path";
import { type Embedder, Flux, type MessageItem } from "../../src/index.ts";
import { speedHits } from "../speed-store.ts";
import type { SpeedText } from "../speed-texts.ts";
import type { PeerContender } from "./peer-store.ts";

/** When questions are asked, after all that was said. */
const askedAt = Date.UTC(2040, 0, 1);

/** Ours, as a library. */
export function fluxInProcess(embedder: Embedder): PeerContender {
  return {
    name: "flux in process",
    about: "the SDK on a SQLite file, as it is by default: index of words and vectors, traces, change feed",
    open: async (folder) => {
      const flux = await Flux.open(`sqlite:${join(folder, "memory.db")}`, { embedder });
      const memory = flux.for({ userId: "user-0" });
      return {
        add: (texts) => memory.storeBatch(texts.map(toMessage)),
        search: async (_text, question) =>
          (await memory.recall(question, { k: speedHits, askedAt })).hits.length,
        count: async () => (await memory.health()).records,
        [Symbol.asyncDispose]: () => flux.close(),
      };
    },
  };
}

function toMessage({ speaker, session, saidAt, content }: SpeedText): MessageItem {
  return { role: "user", name: speaker, sessionId: session, saidAt, content };
}
