import type {
  FactChanges,
  FactCountOptions,
  FactGraphOptions,
  FactQuery,
  FactRecallOptions,
  FactRetractOptions,
  FactUpdateOptions,
} from "../facts/facts.ts";
import { optionNames } from "../model/options.ts";
import type { EntityContextOptions, EntityListOptions } from "./entity-options.ts";

const call = { operation: true, signal: true } as const;
const times = { asOf: true, knownAt: true, history: true } as const;
const conditions = {
  ...times,
  subject: true,
  predicate: true,
  object: true,
  affirmed: true,
  minConfidence: true,
  agentId: true,
  sessionId: true,
  signal: true,
} as const;

/** The properties that options about facts and entities may have. */
export const factNames = {
  query: optionNames<FactQuery>({ ...conditions, order: true, limit: true, after: true }),
  count: optionNames<FactCountOptions>(conditions),
  recall: optionNames<FactRecallOptions>({ ...times, limit: true, minScore: true, signal: true }),
  graph: optionNames<FactGraphOptions>({
    ...{ hops: true, asOf: true, limit: true, direction: true, maxFacts: true, signal: true },
  }),
  entitiesOfGraph: optionNames<{ readonly entities: readonly string[] }>({ entities: true }),
  changes: optionNames<FactChanges>({ object: true, confidence: true, validFrom: true, validUntil: true }),
  update: optionNames<FactUpdateOptions>({ ...call, ifVersion: true }),
  retract: optionNames<FactRetractOptions>({ ...call, at: true, reason: true }),
  entities: optionNames<EntityListOptions>({ type: true, q: true, limit: true, after: true, signal: true }),
  entityContext: optionNames<EntityContextOptions>({ maxTokens: true, signal: true }),
};
