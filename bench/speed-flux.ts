import { Flux, type FluxMemory, type FluxOptions } from "../src/index.ts";
import type { OpenedLedger } from "./ledgers.ts";
import { type SpeedStore, speedHits } from "./speed-store.ts";

/** When questions are asked, after all that was said. */
const askedAt = Date.UTC(2040, 0, 1);

/** Ours, through its public interface: lexical and dense index, traces, as they are by default. */
export async function fluxStore(
  { ledger, sizes, remove }: OpenedLedger,
  embedder: FluxOptions["embedder"],
): Promise<SpeedStore> {
  const flux = await Flux.open(ledger, { embedder });
  // A caller has the handle at hand, as an application does.
  const memories = new Map<string, FluxMemory>();
  const memoryOf = (userId: string): FluxMemory => {
    const memory = memories.get(userId) ?? flux.for({ userId });
    memories.set(userId, memory);
    return memory;
  };
  return {
    add: (user, texts) =>
      memoryOf(user).storeBatch(
        texts.map(({ session, speaker, content, saidAt }) => ({
          ...{ role: "user", name: speaker, content, sessionId: session, saidAt },
        })),
      ),
    recall: async (user, question) => {
      const { hits, timings, degraded } = await memoryOf(user).recall(question, { k: speedHits, askedAt });
      if (degraded !== undefined)
        throw new Error(`Recall was degraded: ${degraded.map(({ reason }) => reason).join("; ")}`);
      return { found: hits.map(({ text }) => text), timings };
    },
    sizes: async () => {
      await flux.flush();
      return sizes();
    },
    [Symbol.asyncDispose]: async () => {
      await flux.close();
      await remove();
    },
  };
}
