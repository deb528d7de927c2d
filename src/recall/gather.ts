import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { Ledger } from "../store/ledger.ts";
import { around, find, get, head, match, nearest, type Page } from "../store/read.ts";
import type { GrainConditions, Matches, Neighbours } from "../store/search.ts";
import { conditionTest, spokenKinds } from "./conditions.ts";
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
/** How many of the best are looked around from, in their sessions and for what they were derived from; 60 measured no better. */
export const seeds = 40;
/** How far in their sessions. */
const reach = 2;

/** One search for candidates. */
interface Round {
  readonly where: GrainConditions;
  /** How many times the usual number of results it asks for. */
  readonly times: number;
}

/** How many times as many results are asked for where facts have taken places among the first ones. */
const wider = 3;

/**
 * The search, and what to search for in its place where facts have taken places among its results. A store looks at more grains where
 * there is a condition, so where there is no other one anyhow, facts are taken out of what was found, at first.
 */
function roundsFor(where: GrainConditions): readonly [Round, ...Round[]] {
  if (where.ownerKinds !== undefined) return [{ where, times: 1 }];
  const spoken = { where: { ...where, ownerKinds: spokenKinds }, times: 1 };
  const bare = Object.values(where).every((condition) => condition === undefined);
  return bare ? [{ where, times: 1 }, { where, times: wider }, spoken] : [spoken];
}

/** First round trip, or up to three where facts take places: what words, vectors and times find. Answers with the sequence number that it saw. */
export async function gatherCandidates(
  source: Source,
  query: AnalysedQuery,
  vector: Float32Array | undefined,
  { where, signal }: Search,
  pool: PoolBuilder,
): Promise<number> {
  const [first, ...others] = roundsFor(where);
  const search = { query, vector, meets: conditionTest(where), signal };
  let found = await searchOnce(source, search, first);
  for (const round of others) if (found.crowded) found = await searchOnce(source, search, round);
  for (const matches of found.matches) pool.addMatches(matches);
  pool.addNearest(found.near.filter(({ similarity }) => similarity > 0));
  for (const grains of found.told) pool.addGrains(grains);
  return found.seq;
}

interface Asked extends Pick<Search, "signal"> {
  readonly query: AnalysedQuery;
  readonly vector: Float32Array | undefined;
  readonly meets: (grain: Grain) => boolean;
}

async function searchOnce(
  { ledger, partition, lexical, dense }: Source,
  { query, vector, meets, signal }: Asked,
  { where, times }: Round,
) {
  const ranges = query.ranges.flatMap((range) => within(range, where));
  const short = ranges.filter(({ start, end }) => end - start <= longestTime);
  const words = { space: lexical, terms: query.searched };
  const kinds = { ...where, ownerKinds: where.ownerKinds ?? spokenKinds };
  const [state, matches, ...others] = await ledger.read(
    [partition],
    [
      head(),
      match({ ...words, limit: maxMatches * times, where }),
      ...ranges.map(({ start, end }) =>
        match({ ...words, limit: maxInTime, where: { ...kinds, from: start, until: end } }),
      ),
      ...short.map(({ start, end }) =>
        // Twice as many: facts that were told then are among them.
        find("grain", { index: "byTime", range: { gte: start, lt: end }, limit: 2 * maxInTime }),
      ),
      ...(dense === undefined || vector === undefined
        ? []
        : [nearest({ space: dense, vector, limit: maxNearest * times, where })]),
    ],
    { signal },
  );
  const inTime = others.slice(0, ranges.length) as readonly Matches[];
  const told = others.slice(ranges.length, ranges.length + short.length) as readonly Page<Stored<Grain>>[];
  const [near = []] = others.slice(ranges.length + short.length) as readonly Neighbours[];
  const spoken = matches.candidates.filter(({ grain }) => meets(grain));
  const close = near.filter(({ grain }) => meets(grain));
  return {
    seq: state?.seq ?? 0,
    matches: [{ ...matches, candidates: spoken.slice(0, maxMatches) }, ...inTime],
    near: close.slice(0, maxNearest),
    told: told.map(({ items }) => items.filter(meets).slice(0, maxInTime)),
    /** Whether what was not asked for took the place of what was. */
    crowded:
      (spoken.length < maxMatches && matches.candidates.length === maxMatches * times) ||
      (close.length < maxNearest && near.length === maxNearest * times),
  };
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

/** One round trip: the texts of grains by their ids. Grains whose owner has gone have none. */
export async function readTexts(
  { ledger, partition }: Pick<Source, "ledger" | "partition">,
  grains: readonly Stored<Grain>[],
  { signal }: Pick<Search, "signal">,
): Promise<ReadonlyMap<string, string>> {
  const owners = new Map(grains.map((grain) => [ownerKey(grain), grain]));
  if (owners.size === 0) return new Map();
  const records = await ledger.read(
    [partition],
    Array.from(owners.values(), ({ ownerKind, ownerId }) => get(ownerKind, ownerId)),
    { signal },
  );
  const texts = new Map<string, string>();
  for (const [i, [key, { ownerKind }]] of [...owners].entries()) {
    const record = records[i] as OwnerRecords[Grain["ownerKind"]] | undefined;
    if (record !== undefined) texts.set(key, ownerText(ownerKind, record));
  }
  const found = new Map<string, string>();
  for (const grain of grains) {
    const text = texts.get(ownerKey(grain));
    if (text !== undefined) found.set(grain.id, grainText(text, grain));
  }
  return found;
}
