import { byScore, type ScoredCandidate } from "./score.ts";

/** What statements were derived from, by the ids of their grains: kind and id of a record, as `ownerOf` writes them. */
export type Origins = ReadonlyMap<string, string>;

/** The record that a candidate is of. */
export function ownerOf({ candidate: { grain } }: ScoredCandidate): string {
  return `${grain.ownerKind} ${grain.ownerId}`;
}

/**
 * Has what was said stand where what was derived from it would stand. A statement that fits a query better lifts the text that
 * states it to its own score, and stands behind; one from a long text, of which only a piece was found, stands for the text
 * itself, and the further ones of that text behind. So nothing that was derived takes the place of what was said.
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
      .filter(({ candidate: { grain } }) => grain.start === undefined && !origins.has(grain.id))
      .map((scored) => [ownerOf(scored), scored]),
  );
  const lifted = new Map<string, number>();
  const seen = new Set<string>();
  for (const { candidate, score } of ranking) {
    const origin = origins.get(candidate.grain.id);
    if (origin === undefined) continue;
    const source = whole.get(origin);
    if (source !== undefined && score > (lifted.get(origin) ?? source.score)) lifted.set(origin, score);
    if (source !== undefined || seen.has(origin)) repeats.add(candidate.grain.id);
    seen.add(origin);
  }
  const raised = ranking.map((scored) => {
    const score = lifted.get(ownerOf(scored));
    if (score === undefined) return scored;
    return { ...scored, score, added: [...scored.added, { name: "statement", score: score - scored.score }] };
  });
  return { ranking: raised.sort(byScore), repeats };
}
