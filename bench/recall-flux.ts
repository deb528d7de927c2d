import { randomUUID } from "node:crypto";
import { Flux, type FluxOptions, type MessageItem, partition, type Role } from "../src/index.ts";
import type { RecallMemory } from "./recall-memory.ts";
import { distinct } from "./recall-metrics.ts";
import type { Turn } from "./recall-set.ts";

export interface FluxMemoryOptions {
  /** URL of a store, which may hold other things. */
  readonly store: string;
  readonly embedder: FluxOptions["embedder"];
}

/** Ours, through its public interface. What it stored is erased when it is disposed of. */
export async function fluxMemory({ store, embedder }: FluxMemoryOptions): Promise<RecallMemory> {
  const flux = await Flux.open(store, { embedder });
  const namespace = `bench-${randomUUID()}`;
  const users = new Set<string>();
  // A message may have several grains, and the bench knows it by the set's name of it.
  const turnOf = new Map<string, string>();
  const { embedder: used } = await flux.status();
  return {
    embedder: used?.id ?? "none",
    add: async (userId, turns) => {
      users.add(userId);
      const memory = flux.for({ namespace, userId, sessionId: turns[0]?.session });
      const stored = await memory.storeBatch(turns.map(toMessage));
      for (const [i, { id }] of stored.entries()) turnOf.set(id, turns[i]?.id ?? "");
    },
    recall: async (userId, question, { k, now }) => {
      const memory = flux.for({ namespace, userId });
      const { hits, confidence, degraded } = await memory.recall(question, { k, askedAt: now });
      if (degraded !== undefined)
        throw new Error(`Recall was degraded: ${degraded.map(({ reason }) => reason).join("; ")}`);
      const turns = hits.flatMap(({ owner }) => turnOf.get(owner.id) ?? []);
      return { turns: distinct(turns), confidence };
    },
    [Symbol.asyncDispose]: async () => {
      for (const userId of users)
        await flux.ledger.erase(partition({ namespace, userId }), {
          operation: randomUUID(),
          everything: true,
        });
      await flux.close();
    },
  };
}

const roles: readonly string[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/** A speaker who is no role is a person with a name. */
function toMessage({ speaker, text, caption, saidAt }: Turn): MessageItem {
  const role = speaker.toLowerCase();
  return {
    ...(roles.includes(role) ? { role: role as Role } : { role: "user", name: speaker }),
    content: text,
    saidAt,
    ...(caption === undefined ? {} : { metadata: { caption } }),
  };
}
