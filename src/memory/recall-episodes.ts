import { checkKnown, checkLimit, checkSignal, checkString, checkTime } from "../flux/check-options.ts";
import { defined } from "../flux/draft.ts";
import type { Flux, FluxRecallResult } from "../flux/flux.ts";
import type { FluxRecallOptions } from "../flux/flux-memory.ts";
import type { Scope } from "../flux/scope.ts";
import { checkFunction } from "../model/check-values.ts";
import type { Episode } from "../model/episode.ts";
import { FluxError } from "../model/errors.ts";
import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { find, get } from "../store/read.ts";
import { episodeOf, firstGrainOf } from "./episode-views.ts";
import type { EpisodeMatch, RecallScoredOptions, TimeRange } from "./episodes.ts";
import { names } from "./option-names.ts";

/** Episodes that a blank query looks at in one read. */
const page = 200;
/** Hits that are asked for where some may be left out. */
const mostHits = 100;
/** Signals of the words of the query. */
const wordSignals: ReadonlySet<string> = new Set(["words", "related"]);

/**
 * The episodes that fit a query, the best first; the newest first for a blank one.
 *
 * @param threshold cosine below which an episode is not found
 */
export async function recallEpisodes(
  flux: Flux,
  scope: Scope,
  query: string,
  options: RecallScoredOptions,
  threshold: number | undefined,
): Promise<readonly EpisodeMatch[]> {
  const { limit, timeRange, where, onDegraded, ...asked } = checkRecall(query, options);
  const conditions = { ...where, ...timeRange };
  if (query.trim() === "") return newest(flux, scope, conditions, { limit, signal: asked.signal });
  const found = await flux.for(scopeOptions(scope)).recall(query, {
    ...asked,
    k: threshold === undefined ? limit : mostHits,
    where: { ...conditions, ownerKinds: ["episode"] },
  });
  if (found.degraded !== undefined) onDegraded?.(found.degraded);
  const near = found.hits.filter(({ similarity = 0 }) => threshold === undefined || similarity >= threshold);
  return matchesOf(flux, scope, { ...found, hits: near.slice(0, limit) }, asked.signal);
}

/** The options by which a handle of the engine is made. */
export function scopeOptions({ partition, sessionId, agentId, caller }: Scope) {
  return { ...partition, sessionId, agentId, caller };
}

function checkRecall(query: string, options: RecallScoredOptions) {
  const { limit = 5, timeRange = {}, where = {}, ...rest } = checkKnown(options, names.recallScored);
  checkString(query, "query");
  checkLimit(limit, "limit", mostHits);
  checkSignal(rest.signal)?.throwIfAborted();
  checkFunction(rest.onDegraded, "onDegraded");
  checkRange(timeRange);
  return { limit, timeRange, where: { ...checkKnown(where, names.where, "where") }, ...rest };
}

/** @throws FluxTypeError or FluxError `invalid_argument` unless it is a range of time that holds something */
export function checkRange(range: TimeRange): TimeRange {
  const { from, until } = checkKnown(range, names.timeRange, "timeRange");
  if (from !== undefined) checkTime(from, "from");
  if (until !== undefined) checkTime(until, "until");
  if (from === undefined || until === undefined || from < until) return range;
  throw new FluxError("invalid_argument", "timeRange ends before it begins, or holds no moment", {
    hint: "It is half-open: from the moment `from` on, and before the moment `until`.",
  });
}

async function newest(
  { ledger }: Flux,
  { partition }: Scope,
  { from, until, sessionIds, agentIds, filter }: NonNullable<FluxRecallOptions["where"]>,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<readonly EpisodeMatch[]> {
  const found: Stored<Episode>[] = [];
  const range = defined({ gte: from, lt: until });
  let after: string | undefined;
  do {
    const walk = { index: "byTime", range, filter, reverse: true, limit: page, after };
    const [{ items, cursor }] = await ledger.read([partition], [find("episode", walk)], { signal });
    for (const stored of items) {
      const fits = allows(sessionIds, stored.sessionId) && allows(agentIds, stored.agentId);
      if (fits && found.length < limit) found.push(stored);
    }
    after = found.length < limit ? cursor : undefined;
  } while (after !== undefined);
  const grains = await ledger.read(
    [partition],
    found.map(({ id }) => firstGrainOf(id)),
    { signal },
  );
  // There is nothing that one could fit better than another.
  return found.map((stored, i) => ({
    ...{ episode: episodeOf(stored, grains[i]?.items[0]), score: 1, signals: [] },
  }));
}

function allows(list: readonly (string | null)[] | undefined, label: string | undefined): boolean {
  return list === undefined || list.includes(label ?? null);
}

async function matchesOf(
  { ledger }: Flux,
  { partition }: Scope,
  { hits, traceId }: Pick<FluxRecallResult, "hits" | "traceId">,
  signal: AbortSignal | undefined,
): Promise<readonly EpisodeMatch[]> {
  if (hits.length === 0) return [];
  const rows = await ledger.read(
    [partition],
    [...hits.map(({ owner }) => get("episode", owner.id)), ...hits.map(({ id }) => get("grain", id))],
    { signal },
  );
  return hits.flatMap((hit, i): EpisodeMatch[] => {
    const stored = rows[i] as Stored<Episode> | undefined;
    const grain = rows[hits.length + i] as Stored<Grain> | undefined;
    // Erased between the two reads.
    if (stored === undefined) return [];
    const { id, score, signals, similarity, text, status, provenance, supersededBy } = hit;
    const wordScore = signals.reduce(
      (sum, { name, score }) => (wordSignals.has(name) ? sum + score : sum),
      0,
    );
    return [
      {
        ...{ episode: episodeOf(stored, grain), score, signals },
        ...defined({ wordScore: wordScore > 0 ? wordScore : undefined, vectorScore: similarity }),
        ...{ text, status, provenance, grainId: id },
        ...defined({ traceId, supersededBy }),
      },
    ];
  });
}
