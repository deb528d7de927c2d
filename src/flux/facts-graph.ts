import type { FactDegradation, FactGraphOptions, FactGraphResult } from "../facts/facts.ts";
import { FactGraph, mostPaths } from "../facts/graph.ts";
import { Path } from "../facts/path.ts";
import { toFact } from "../facts/to-fact.ts";
import { presentOf } from "../model/clock.ts";
import { describe, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { checkChoice, checkKnown, checkLimit, checkSignal, checkString } from "./check-options.ts";
import { factNames } from "./fact-option-names.ts";
import { momentsOf } from "./facts-options.ts";
import { type FactSource, withLinks } from "./facts-query.ts";
import { factsBounded } from "./facts-recall.ts";
import { readNewest } from "./facts-walk.ts";

/** Hops of a path at most: the number of paths grows with a power of it. */
const mostHops = 5;

/** Finds paths of facts that hold at one moment. Reads each thousand of these facts, and what those in the paths rest on. */
export async function graphOf(
  source: FactSource,
  query: string | { readonly entities: readonly string[] },
  options: FactGraphOptions,
): Promise<FactGraphResult> {
  const { signal, asOf, ...rest } = checkKnown(options, factNames.graph);
  const { hops = 2, limit = 10, direction = "both", maxFacts = 10_000 } = rest;
  checkSignal(signal);
  checkLimit(hops, "hops", mostHops);
  checkLimit(limit, "limit");
  checkLimit(maxFacts, "maxFacts", 100_000);
  checkChoice(direction, "direction", ["both", "out", "in"]);
  const asked = typeof query === "string" ? query : checkEntities(query);
  const moments = momentsOf({ asOf }, presentOf(source.clock));
  const { versions, bounded } = await readNewest(source, moments, maxFacts, { signal });
  const graph = new FactGraph(versions.map((version) => toFact(version, [])));
  const seeds = typeof asked === "string" ? graph.seedsOf(asked) : graph.nodesOf(asked);
  const { paths, cut } = graph.pathsFrom(seeds, { hops, direction, limit });
  const used = new Set(paths.flatMap(({ facts }) => facts.map(({ id }) => id)));
  const facts = await withLinks(
    source,
    versions.filter(({ id }) => used.has(id)),
    { signal },
  );
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const degraded: FactDegradation[] = [
    ...(bounded ? [factsBounded(maxFacts)] : []),
    ...(cut ? [pathsBounded] : []),
  ];
  return {
    paths: paths.map(
      (path) =>
        new Path(
          path.facts.map((fact) => byId.get(fact.id) ?? fact),
          path.directions,
          path.nodes,
        ),
    ),
    ...(degraded.length > 0 ? { degraded } : {}),
  };
}

const pathsBounded: FactDegradation = {
  code: "paths_bounded",
  reason: `There are more than ${mostPaths} paths of one length, and only so many were looked at`,
};

function checkEntities(query: unknown): readonly string[] {
  if (!isPlainObject(query))
    throw new FluxTypeError(
      "invalid_argument",
      `query must be a string or an object with entities, not ${describe(query)}`,
    );
  const { entities } = checkKnown(query, factNames.entitiesOfGraph, "query") as {
    readonly entities?: unknown;
  };
  if (!Array.isArray(entities))
    throw new FluxTypeError("invalid_argument", `entities must be a list, not ${describe(entities)}`);
  return Array.from(entities, (name) => checkString(name, "entities"));
}
