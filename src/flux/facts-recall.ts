import type { Fact } from "../facts/fact.ts";
import type { FactDegradation, FactHit, FactRecall, FactRecallOptions } from "../facts/facts.ts";
import { holdsAt, type Moments } from "../facts/moments.ts";
import { presentOf } from "../model/clock.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { ownerText } from "../recall/owner-text.ts";
import { PoolBuilder } from "../recall/pool.ts";
import { type AnalysedQuery, analyseQuery } from "../recall/query.ts";
import type { RecallSignal } from "../recall/score.ts";
import { explain, scorePool } from "../recall/score.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Filter } from "../store/filter.ts";
import { get } from "../store/read.ts";
import type { Analyser } from "../text/analyser.ts";
import { checkKnown, checkLimit, checkSignal, checkString } from "./check-options.ts";
import { factGrain } from "./fact-grain.ts";
import { factNames } from "./fact-option-names.ts";
import { checkMinScore, momentsOf } from "./facts-options.ts";
import { withLinks } from "./facts-query.ts";
import { readNewest } from "./facts-walk.ts";
import { indexedText, termsOf } from "./indexed-text.ts";
import type { FluxParts } from "./open-flux.ts";
import { recallUntraced } from "./recall-traced.ts";
import type { Scope } from "./scope.ts";

/** Versions that are looked at where no index leads to them. */
export const mostScanned = 10_000;

/** The most that a recall finds. */
const mostHits = 100;

interface Scored {
  readonly version: Stored<FactVersion>;
  readonly score: number;
  readonly signals: readonly RecallSignal[];
}

interface Found {
  readonly found: readonly Scored[];
  readonly degraded: readonly FactDegradation[];
}

interface Asked extends Moments {
  readonly limit: number;
  readonly minScore: number;
}

/** Finds facts by a query: along the index where they are believed now, else by a look at those that were. */
export async function recallFacts(
  parts: FluxParts,
  scope: Pick<Scope, "partition">,
  query: string,
  options: FactRecallOptions,
): Promise<FactRecall> {
  const { limit = 5, minScore = 0, signal, ...times } = checkKnown(options, factNames.recall);
  checkString(query, "query");
  checkSignal(signal);
  checkLimit(limit, "limit", mostHits);
  checkMinScore(minScore);
  const at = presentOf(parts.clock);
  const asked = { ...momentsOf(times, at), limit, minScore };
  // What will be believed is not known: now is the last moment to ask about.
  const past = asked.knownAt !== undefined && asked.knownAt < at;
  const { found, degraded } =
    query.trim() === ""
      ? await newest(parts, scope, asked, { signal })
      : past
        ? await scan(parts, scope, query, asked, { signal })
        : await search(parts, scope, query, { ...asked, knownAt: undefined }, { signal });
  const versions = found.map(({ version }) => version);
  const facts = await withLinks({ ...parts, ...scope }, versions, { signal });
  const hits = facts.map((fact: Fact, i): FactHit => {
    const { score = 0, signals = [] } = found[i] ?? {};
    return { ...fact, score, signals };
  });
  return { hits, ...(degraded.length > 0 ? { degraded } : {}) };
}

async function newest(
  parts: FluxParts,
  { partition }: Pick<Scope, "partition">,
  asked: Asked,
  options: CallOptions,
): Promise<Found> {
  const { versions } = await readNewest({ ...parts, partition }, asked, asked.limit, options);
  return { found: versions.map((version) => ({ version, score: 0, signals: [] })), degraded: [] };
}

async function search(
  parts: FluxParts,
  { partition }: Pick<Scope, "partition">,
  query: string,
  asked: Asked,
  options: CallOptions,
): Promise<Found> {
  const { limit, minScore, asOf } = asked;
  const where = { ownerKinds: ["fact"], filter: asOf === undefined ? undefined : heldAt(asOf) } as const;
  for (let k = limit; ; k = mostHits) {
    const { hits, degraded = [] } = await recallUntraced(parts, partition, query, {
      ...{ k, minScore, where, ...options },
    });
    const ops = hits.map(({ owner }) => get("fact", owner.id));
    const versions = ops.length === 0 ? [] : await parts.ledger.read([partition], ops, options);
    const found = hits.flatMap(({ score, signals }, i): Scored[] => {
      const version = versions[i];
      // Another version may have taken its place between the two reads.
      return version !== undefined && holdsAt(version, asked) ? [{ version, score, signals }] : [];
    });
    if (found.length >= limit || hits.length < k || k === mostHits)
      return { found: found.slice(0, limit), degraded };
  }
}

/** What grains of facts have in their metadata of what holds at a moment. */
function heldAt(asOf: number): Filter {
  return {
    and: [
      { or: [{ validFrom: { exists: false } }, { validFrom: { lte: asOf } }] },
      { or: [{ validUntil: { exists: false } }, { validUntil: { gt: asOf } }] },
    ],
  };
}

/** Scores the words of versions that are in no index any more, as the index would have them scored among those of that time. */
async function scan(
  parts: FluxParts,
  { partition }: Pick<Scope, "partition">,
  query: string,
  asked: Asked,
  options: CallOptions,
): Promise<Found> {
  const { versions, bounded } = await readNewest({ ...parts, partition }, asked, mostScanned, options);
  const { analyser } = parts.indexes.active();
  const analysed = analyseQuery(query, { analyser, now: asked.knownAt ?? presentOf(parts.clock) });
  const scored = scorePool(analysed, poolOf(analysed, versions, analyser));
  const byId = new Map(versions.map((version) => [version.id, version]));
  const found = scored.ranking
    .filter(({ score }) => score > 0 && score >= asked.minScore)
    .slice(0, asked.limit)
    .flatMap((one): Scored[] => {
      const version = byId.get(one.candidate.grain.id);
      return version === undefined ? [] : [{ version, score: one.score, signals: explain(scored, one) }];
    });
  return { found, degraded: bounded ? [factsBounded(mostScanned)] : [] };
}

function poolOf(
  { searched }: AnalysedQuery,
  versions: readonly Stored<FactVersion>[],
  analyser: Analyser,
): ReturnType<PoolBuilder["build"]> {
  const places = new Map(searched.map((term, i) => [term, i]));
  const frequencies = searched.map(() => 0);
  let terms = 0;
  const candidates = versions.map((version) => {
    const grain = grainOf(version);
    const entry = termsOf(analyser, indexedText(grain, ownerText("fact", version)));
    const counts = searched.map(() => 0);
    for (const term of entry) {
      const place = places.get(term);
      if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
    }
    for (const [i, count] of counts.entries()) if (count > 0) frequencies[i] = (frequencies[i] ?? 0) + 1;
    terms += entry.length;
    return { grain, counts, length: entry.length };
  });
  const pool = new PoolBuilder();
  const documents = versions.length;
  const averageLength = documents === 0 ? 0 : terms / documents;
  pool.addMatches({ documents, averageLength, frequencies, candidates });
  return pool.build();
}

/** The grain that a version had while it was believed, as far as that counts for its score. */
function grainOf(version: Stored<FactVersion>): Stored<Grain> {
  const { id, seq, updatedSeq, recordedAt } = version;
  return { ...factGrain(version), id, seq, updatedSeq, recordedAt, ownerKind: "fact", ownerId: id };
}

/** @param looked how many were looked at */
export function factsBounded(looked: number): FactDegradation {
  return { code: "facts_bounded", reason: `Only the newest ${looked} of these facts were looked at` };
}
