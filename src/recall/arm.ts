import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { GrainConditions } from "../store/search.ts";
import type { AnalysedQuery } from "./query.ts";

export interface ArmHit {
  readonly grain: Stored<Grain>;
  /** 0 to 1. */
  readonly score: number;
}

export interface ArmRequest {
  readonly partition: Partition;
  readonly query: AnalysedQuery;
  /** The best that words, vectors and dates have found, best first: where a walk through a graph begins. */
  readonly seeds: readonly ArmHit[];
  /** What grains must fulfil. Hits that do not are left out of the result in any case. */
  readonly where: GrainConditions;
  readonly signal: AbortSignal;
}

/**
 * A further way of finding grains, such as a graph or facts. Its hits join those of the others, and its scores are added
 * to theirs. When it fails or takes too long, recall goes on without it and says so.
 */
export interface RecallArm {
  /** Names its signal in explanations: not the name of another signal. */
  readonly id: string;
  /** What a score of 1 adds, where the best match of words has about 1. */
  readonly weight: number;
  find(request: ArmRequest): Promise<readonly ArmHit[]>;
}
