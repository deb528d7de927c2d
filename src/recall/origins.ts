import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { find, sourcesOf } from "../store/read.ts";
import { conditionTest } from "./conditions.ts";
import { type Search, type Source, seeds } from "./gather.ts";
import { liftTo } from "./lift.ts";
import { ownerKey } from "./owner-text.ts";
import type { PoolBuilder } from "./pool.ts";
import { byScore, type ScoredCandidate } from "./score.ts";

/** What statements were derived from: ids of grains of statements, each with the `ownerKey` of a record. */
export type Origins = ReadonlyMap<string, string>;

/**
 * Reads what the best statements were derived from, and adds it to the pool where it is one piece that meets the conditions: a
 * text is found by whatever was derived from it. Two round trips where there are statements, else none.
 */
export async function gatherOrigins(
  { ledger, partition }: Pick<Source, "ledger" | "partition">,
  ranking: readonly ScoredCandidate[],
  { where, signal }: Search,
  pool: PoolBuilder,
): Promise<Origins> {
  const derived = ranking
    .slice(0, seeds)
    .map(({ candidate }) => candidate.grain)
    .filter(({ ownerKind, provenance }) => ownerKind === "text" && provenance === "ai_inferred");
  if (derived.length === 0) return new Map();
  const sources = await ledger.read(
    [partition],
    derived.map(({ ownerId }) => sourcesOf("text", ownerId)),
    { signal },
  );
  const links = derived.flatMap(({ id }, i) => {
    const [origin, ...others] = sources[i] ?? [];
    // What was derived from several stands for none of them alone.
    if (origin === undefined || others.length > 0) return [];
    return [{ id, ownerKind: origin.kind as Grain["ownerKind"], ownerId: origin.id }];
  });
  if (links.length === 0) return new Map();
  const origins = new Map(links.map((link) => [ownerKey(link), link]));
  const pages = await ledger.read(
    [partition],
    Array.from(origins.values(), ({ ownerKind, ownerId }) =>
      find("grain", { index: "byOwner", prefix: [ownerKind, ownerId], limit: 1 }),
    ),
    { signal },
  );
  const meets = conditionTest(where);
  const whole = pages.flatMap(({ items }) => items).filter(isWhole);
  pool.addGrains(whole.filter(meets));
  return new Map(links.map((link) => [link.id, ownerKey(link)]));
}

/** Whether a grain stands for all that its owner says. */
function isWhole({ start }: Stored<Grain>): boolean {
  return start === undefined;
}

/**
 * Has what was said stand where what was derived from it would stand. A statement that fits a query better lifts the text that
 * states it to its own score, unless that is put aside, and stands behind; one from a long text, of which grains are only pieces,
 * stands for the text itself, and the further ones of that text behind. So nothing that was derived takes the place of what was
 * said.
 */
export function liftOrigins(
  ranking: readonly ScoredCandidate[],
  origins: Origins,
): {
  readonly ranking: readonly ScoredCandidate[];
  /** Ids of grains that say what others say already. */
  readonly repeats: ReadonlySet<string>;
} {
  const repeats = new Set<string>();
  if (origins.size === 0) return { ranking, repeats };
  const whole = new Map(
    ranking
      .filter(({ candidate: { grain } }) => isWhole(grain) && !origins.has(grain.id))
      .map((scored) => [ownerKey(scored.candidate.grain), scored]),
  );
  const lifted = new Map<string, number>();
  const seen = new Set<string>();
  for (const { candidate, score } of ranking) {
    const origin = origins.get(candidate.grain.id);
    if (origin === undefined) continue;
    const source = whole.get(origin);
    // The ranking has the best first, so the first statement of a text lifts it farthest.
    if (source?.candidate.grain.status === "active" && score > source.score && !lifted.has(origin))
      lifted.set(origin, score);
    if (source !== undefined || seen.has(origin)) repeats.add(candidate.grain.id);
    seen.add(origin);
  }
  if (lifted.size === 0) return { ranking, repeats };
  const raised = ranking.map((scored) => {
    const score = lifted.get(ownerKey(scored.candidate.grain));
    return score === undefined ? scored : liftTo(score, scored, "statement");
  });
  return { ranking: raised.sort(byScore), repeats };
}
