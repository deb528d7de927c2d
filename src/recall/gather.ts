import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { Ledger } from "../store/ledger.ts";
import { around, find, get, head, match, nearest, type Page } from "../store/read.ts";
import type { GrainConditions, Matches, Neighbours } from "../store/search.ts";
import { conditionTest } from "./conditions.ts";
import { grainText, type OwnerRecords, ownerKey, ownerText } from "./owner-text.ts";
import { maxNearest, type PoolBuilder } from "./pool.ts";
import type { AnalysedQuery, TimeRange } from "./query.ts";
import type { ScoredCandidate } from "./score.ts";

/** Where memories are read from. */
export interface Source {
  readonly ledger: Pick<Ledger, "read">;
  readonly partition: Partition;
  /** Ids of the active spaces. */
  readonly lexical: number;
  readonly dense: number | undefined;
}

export interface Search {
  readonly where: GrainConditions;
  readonly signal: AbortSignal | undefined;
}

/** Grains that the search by words returns at most; 400 measured no better. */
const maxMatches = 200;
/** Candidates of each time that the query names. */
const maxInTime = 50;
/** The longest time from which everything is looked at, words or not: "what did we speak about last month?" */
const longestTime = 32 * 24 * 3_600_000;
/** How many of the best are looked around from, in their sessions and for what they were derived from. */
export const seeds = 60;
/** How far in their sessions. */
const reach = 2;

/** First round trip: what words, vectors and times find. Answers with the sequence number that it saw. */
export async function gatherCandidates(
  { ledger, partition, lexical, dense }: Source,
  query: AnalysedQuery,
  vector: Float32Array | undefined,
  { where, signal }: Search,
  pool: PoolBuilder,
): Promise<number> {
  const ranges = query.ranges.flatMap((range) => within(range, where));
  const short = ranges.filter(({ start, end }) => end - start <= longestTime);
  const words = { space: lexical, terms: query.searched };
  const [state, matches, ...others] = await ledger.read(
    [partition],
    [
      head(),
      match({ ...words, limit: maxMatches, where }),
      ...ranges.map(({ start, end }) =>
        match({ ...words, limit: maxInTime, where: { ...where, from: start, until: end } }),
      ),
      ...short.map(({ start, end }) =>
        find("grain", { index: "byTime", range: { gte: start, lt: end }, limit: maxInTime }),
      ),
      ...(dense === undefined || vector === undefined
        ? []
        : [nearest({ space: dense, vector, limit: maxNearest, where })]),
    ],
    { signal },
  );
  const inTime = others.slice(0, ranges.length) as readonly Matches[];
  const told = others.slice(ranges.length, ranges.length + short.length) as readonly Page<Stored<Grain>>[];
  const near = others.slice(ranges.length + short.length) as readonly Neighbours[];
  const meets = conditionTest(where);
  for (const found of [matches, ...inTime]) pool.addMatches(found);
  for (const found of near) pool.addNearest(found.filter(({ similarity }) => similarity > 0));
  for (const { items } of told) pool.addGrains(items.filter(meets));
  return state?.seq ?? 0;
}

function within({ start, end }: TimeRange, { from, until }: GrainConditions): TimeRange[] {
  const range = { start: Math.max(start, from ?? start), end: Math.min(end, until ?? end) };
  return range.start < range.end ? [range] : [];
}

/** Second round trip: what stands beside the best in their sessions. */
export async function gatherSurroundings(
  { ledger, partition }: Source,
  ranking: readonly ScoredCandidate[],
  { where, signal }: Search,
  pool: PoolBuilder,
): Promise<void> {
  const grains = ranking
    .slice(0, seeds)
    .map(({ candidate }) => candidate.grain)
    .filter(({ sessionId }) => sessionId !== undefined);
  if (grains.length === 0) return;
  const [surroundings] = await ledger.read([partition], [around({ grains, reach })], { signal });
  const meets = conditionTest(where);
  for (const { of, distance, grain } of surroundings) if (meets(grain)) pool.addLink(of, distance, grain);
}

/** Third round trip: the texts of owners, by owner and then cut to the grain. Grains whose owner has gone have none. */
export async function readTexts(
  { ledger, partition }: Source,
  ranking: readonly ScoredCandidate[],
  { signal }: Pick<Search, "signal">,
): Promise<ReadonlyMap<string, string>> {
  const owners = new Map(ranking.map(({ candidate: { grain } }) => [ownerKey(grain), grain]));
  const grains = [...owners.values()];
  if (grains.length === 0) return new Map();
  const records = await ledger.read(
    [partition],
    grains.map(({ ownerKind, ownerId }) => get(ownerKind, ownerId)),
    { signal },
  );
  const texts = new Map<string, string>();
  for (const [i, grain] of grains.entries()) {
    const record = records[i] as OwnerRecords[Grain["ownerKind"]] | undefined;
    if (record !== undefined) texts.set(ownerKey(grain), ownerText(grain.ownerKind, record));
  }
  const found = new Map<string, string>();
  for (const {
    candidate: { grain },
  } of ranking) {
    const text = texts.get(ownerKey(grain));
    if (text !== undefined) found.set(grain.id, grainText(text, grain));
  }
  return found;
}
