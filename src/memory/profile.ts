import type { Flux } from "../flux/flux.ts";
import type { Scope } from "../flux/scope.ts";
import { pausesOf } from "../store/pauses.ts";
import { find } from "../store/read.ts";
import type { MemoryProfile } from "./agent-memory.ts";
import { scopeOptions } from "./recall-episodes.ts";

/** Sessions and facts that a profile names at most. */
const named = 10;

/** Figures and examples of what is known about a user. */
export async function profileOf(
  flux: Flux,
  scope: Scope,
  { withFacts, signal }: { readonly withFacts: boolean; readonly signal: AbortSignal | undefined },
): Promise<MemoryProfile> {
  const { partition } = scope;
  const sessions = new Set<string>();
  let episodeCount = 0;
  let lastSeen: number | undefined;
  let after: string | undefined;
  const pause = pausesOf(signal);
  do {
    await pause();
    const walk = { index: "byTime", reverse: true, limit: 1000, after };
    const [{ items, cursor }] = await flux.ledger.read([partition], [find("episode", walk)], { signal });
    lastSeen ??= items[0]?.occurredAt;
    episodeCount += items.length;
    for (const { sessionId } of items)
      if (sessionId !== undefined && sessions.size < named) sessions.add(sessionId);
    after = cursor;
  } while (after !== undefined);
  const { facts } = flux.for(scopeOptions(scope));
  const [factCount, { items: sampleFacts }] = withFacts
    ? await Promise.all([facts.count({ signal }), facts.query({ limit: named, signal })])
    : [0, { items: [] }];
  return {
    userId: partition.userId,
    episodeCount,
    factCount,
    ...(lastSeen === undefined ? {} : { lastSeen }),
    recentSessions: [...sessions],
    sampleFacts,
  };
}
