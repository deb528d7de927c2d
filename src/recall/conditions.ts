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
  const tests: ((grain: Grain) => boolean)[] = [];
  const allow = <T>(list: readonly T[] | undefined, of: (grain: Grain) => T): void => {
    if (list !== undefined) tests.push((grain) => list.includes(of(grain)));
  };
  allow(sessionIds, ({ sessionId }) => sessionId ?? null);
  allow(agentIds, ({ agentId }) => agentId ?? null);
  allow(ownerKinds, ({ ownerKind }) => ownerKind);
  allow(provenance, (grain) => grain.provenance);
  allow(status, (grain) => grain.status);
  if (from !== undefined) tests.push(({ saidAt }) => saidAt >= from);
  if (until !== undefined) tests.push(({ saidAt }) => saidAt < until);
  if (predicate !== undefined) tests.push(({ metadata }) => matches(predicate, metadata));
  return (grain) => tests.every((meets) => meets(grain));
}
