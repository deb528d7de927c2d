import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { connectFlux } from "../src/client.ts";
import {
  Flux,
  FluxError,
  type FluxOptions,
  type MessageItem,
  type Role,
  type ServedMemory,
} from "../src/index.ts";
import type { RecallMemory } from "./recall-memory.ts";
import { distinct } from "./recall-metrics.ts";
import type { Turn } from "./recall-set.ts";

/** Where the memories of users come from: a library or a service have the same methods. */
export interface MemorySource {
  /** Id of the embedder. */
  readonly embedder: string;
  memoryOf(scope: { readonly namespace: string; readonly userId: string }): ServedMemory;
  close(): Promise<void>;
}

export interface LocalOptions {
  /** URL of a store, which may hold other things. */
  readonly store: string;
  readonly embedder: FluxOptions["embedder"];
}

export async function inProcess({ store, embedder }: LocalOptions): Promise<MemorySource> {
  const flux = await Flux.open(store, { embedder });
  const { embedder: used } = await flux.status();
  return {
    embedder: used?.id ?? "none",
    memoryOf: (scope) => flux.for(scope),
    close: () => flux.close(),
  };
}

/** A service that runs, through its REST interface. As an administrator, who owes no feedback on what was found. */
export async function overRest(url: string): Promise<MemorySource> {
  const client = connectFlux(url, { client: "bench", role: "admin" });
  const { memory } = await client.status();
  return {
    embedder: memory?.embedder?.id ?? "none",
    memoryOf: (scope) => client.for(scope),
    close: () => client.close(),
  };
}

/** Ours, through its public interface. What it stored is erased when it is disposed of. */
export function fluxMemory(source: MemorySource): RecallMemory {
  const namespace = `bench-${randomUUID()}`;
  const users = new Set<string>();
  // A message may have several grains, and the bench knows it by the set's name of it.
  const turnOf = new Map<string, string>();
  return {
    embedder: source.embedder,
    add: async (userId, turns) => {
      users.add(userId);
      const memory = source.memoryOf({ namespace, userId });
      const stored = await patiently(() => memory.storeBatch(turns.map(toMessage)));
      for (const [i, { id }] of stored.entries()) turnOf.set(id, turns[i]?.id ?? "");
    },
    recall: async (userId, question, { k, now }) => {
      const memory = source.memoryOf({ namespace, userId });
      const { hits, confidence, degraded } = await memory.recall(question, { k, askedAt: now });
      if (degraded !== undefined)
        throw new Error(`Recall was degraded: ${degraded.map(({ reason }) => reason).join("; ")}`);
      const turns = hits.flatMap(({ owner }) => turnOf.get(owner.id) ?? []);
      return { turns: distinct(turns), confidence };
    },
    [Symbol.asyncDispose]: async () => {
      for (const userId of users) await source.memoryOf({ namespace, userId }).erase({ everything: true });
      await source.close();
    },
  };
}

/** A service takes only so many texts a minute: waits for as long as it says. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!FluxError.isInstance(error) || error.code !== "rate_limited" || !error.retryable) throw error;
      const { retryAfter = 1000 } = (error.details ?? {}) as { readonly retryAfter?: number };
      console.info(
        `The service lets no more texts in for ${Math.ceil(retryAfter / 1000)} s (MAX_GRAINS_PER_MINUTE)`,
      );
      await sleep(retryAfter);
    }
  }
}

const roles: readonly string[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/** A speaker who is no role is a person with a name. */
export function toMessage({ session, speaker, text, caption, saidAt }: Turn): MessageItem {
  const role = speaker.toLowerCase();
  return {
    ...(roles.includes(role) ? { role: role as Role } : { role: "user", name: speaker }),
    ...{ sessionId: session, content: text, saidAt },
    ...(caption === undefined ? {} : { metadata: { caption } }),
  };
}
