import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { get } from "../store/read.ts";
import { conditionTest } from "./conditions.ts";
import type { Search, Source } from "./gather.ts";
import { liftTo } from "./lift.ts";
import { ownerKey } from "./owner-text.ts";
import { bareCandidate } from "./pool.ts";
import type { ScoredCandidate } from "./score.ts";

/** For grains that were replaced, by id, the grain that stands now. */
export type Replacements = ReadonlyMap<string, Stored<Grain>>;

/** Replacements of replacements that are followed: one round trip each, of those that the search did not find. */
const longestChain = 20;

/**
 * Follows the marks of the ranked grains to what stands now. A mark counts as long as what it names is there, meets the conditions
 * and was not put away: without it the older one stands by itself again. No round trip where there are no marks.
 */
export async function gatherReplacements(
  { ledger, partition }: Pick<Source, "ledger" | "partition">,
  ranking: readonly ScoredCandidate[],
  { where, signal }: Search,
): Promise<Replacements> {
  const known = new Map<string, Stored<Grain> | undefined>(
    ranking.map(({ candidate: { grain } }) => [grain.id, grain]),
  );
  let open = ranking.map(({ candidate }) => candidate.grain);
  for (let step = 0; step < longestChain; step++) {
    const ids = new Set(open.flatMap(({ supersededBy }) => supersededBy ?? []));
    const lacking = [...ids].filter((id) => !known.has(id));
    if (lacking.length === 0) break;
    const found = await ledger.read(
      [partition],
      lacking.map((id) => get("grain", id)),
      { signal },
    );
    for (const [i, id] of lacking.entries()) known.set(id, found[i]);
    open = found.filter((grain) => grain !== undefined);
  }
  const meets = conditionTest(where);
  const counts = (grain: Stored<Grain>): boolean =>
    meets(grain) && (grain.status === "active" || grain.status === "dormant");
  const replacements = new Map<string, Stored<Grain>>();
  for (const { candidate } of ranking) {
    const end = endOf(candidate.grain, known, counts);
    if (end !== candidate.grain) replacements.set(candidate.grain.id, end);
  }
  return replacements;
}

/** The last of a chain that counts, which may be the first; that of a circle is where it began. */
function endOf(
  first: Stored<Grain>,
  known: ReadonlyMap<string, Stored<Grain> | undefined>,
  counts: (grain: Stored<Grain>) => boolean,
): Stored<Grain> {
  const seen = new Set([first.id]);
  let last = first;
  for (;;) {
    const next = known.get(last.supersededBy ?? "");
    if (next === undefined || !counts(next)) return last;
    if (seen.has(next.id)) return first;
    seen.add(next.id);
    last = next;
  }
}

/**
 * Has what was replaced stand behind what replaced it. What replaced one of the first `k` and stands behind it, or is not among
 * the ranked, comes before it with its score; and both are among the first `k`, as long as others can make room.
 *
 * @param ranking the best first, of each record one
 */
export function placeReplacements(
  ranking: readonly ScoredCandidate[],
  replacements: Replacements,
  k: number,
): readonly ScoredCandidate[] {
  if (replacements.size === 0) return ranking;
  const placed: ScoredCandidate[] = [];
  const done = new Set<string>();
  const ranked = new Map(ranking.map((scored) => [ownerKey(scored.candidate.grain), scored]));
  for (const [place, scored] of ranking.entries()) {
    const { id } = scored.candidate.grain;
    if (done.has(id)) continue;
    const end = replacements.get(id);
    if (end !== undefined && !done.has(end.id)) {
      const known = ranked.get(ownerKey(end)) ?? (place < k ? unfound(end) : undefined);
      if (known !== undefined && !done.has(known.candidate.grain.id)) {
        placed.push(liftTo(scored.score, known, "replaces"));
        done.add(known.candidate.grain.id).add(end.id);
      }
    }
    placed.push(scored);
    done.add(id);
  }
  return keepPairs(
    placed,
    new Set(ranking.slice(0, k).map(({ candidate }) => candidate.grain.id)),
    replacements,
    k,
  );
}

/** A grain that no search found has no score of its own. */
function unfound(grain: Stored<Grain>): ScoredCandidate {
  return { candidate: bareCandidate(grain), row: -1, score: 0, added: [] };
}

/** What was among the first before and was replaced stays there, in place of the last ones that have no part in replacements. */
function keepPairs(
  placed: readonly ScoredCandidate[],
  before: ReadonlySet<string>,
  replacements: Replacements,
  k: number,
): readonly ScoredCandidate[] {
  const ends = new Set(Array.from(replacements.values(), ({ id }) => id));
  const takesPart = ({ candidate: { grain } }: ScoredCandidate): boolean =>
    replacements.has(grain.id) || ends.has(grain.id);
  const first = placed.slice(0, k);
  const rest = placed.slice(k);
  for (const pushed of placed.slice(k)) {
    if (!before.has(pushed.candidate.grain.id) || !takesPart(pushed)) continue;
    const giving = first.findLastIndex((scored) => !takesPart(scored));
    if (giving < 0) break;
    const [given] = first.splice(giving, 1);
    first.push(pushed);
    rest.splice(rest.indexOf(pushed), 1);
    if (given !== undefined) rest.unshift(given);
  }
  return [...first, ...rest];
}
