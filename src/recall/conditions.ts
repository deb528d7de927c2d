import type { Grain } from "../model/grain.ts";
import { matches, parseFilter } from "../store/filter.ts";
import type { GrainConditions } from "../store/search.ts";

/** What a recall finds unless it asks for kinds of owners: what was said. Facts, which say it again, have a recall of their own. */
export const spokenKinds: readonly Grain["ownerKind"][] = ["message", "episode", "text"];

/**
 * Makes the test of conditions for grains that no search has tested: neighbours, and what further arms bring.
 *
 * @throws FluxError `invalid_filter`
 */
export function conditionTest(where: GrainConditions): (grain: Grain) => boolean {
  const { sessionIds, agentIds, ownerKinds = spokenKinds, provenance, status, from, until, filter } = where;
  const predicate = filter === undefined ? undefined : parseFilter(filter);
  const allows = <T>(list: readonly T[] | undefined, value: T): boolean =>
    list === undefined || list.includes(value);
  return (grain) =>
    allows(sessionIds, grain.sessionId ?? null) &&
    allows(agentIds, grain.agentId ?? null) &&
    allows(ownerKinds, grain.ownerKind) &&
    allows(provenance, grain.provenance) &&
    allows(status, grain.status) &&
    (from === undefined || grain.saidAt >= from) &&
    (until === undefined || grain.saidAt < until) &&
    (predicate === undefined || matches(predicate, grain.metadata));
}
