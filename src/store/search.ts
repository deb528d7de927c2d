import type { Grain, GrainStatus } from "../model/grain.ts";
import type { Provenance, Stored } from "../model/record.ts";
import type { CallOptions } from "./driver.ts";
import type { Filter } from "./filter.ts";

/**
 * One index of a store: what one analyser (lexical) or one embedder (dense) made of the grains. At any time one space of
 * each kind is active; a second one can be built beside it, and take its place at once.
 */
export interface Space {
  /** Unique in the store, and never used again. */
  readonly id: number;
  readonly kind: "lexical" | "dense";
  /** Id of the analyser or embedder, which names everything that changes what it makes. */
  readonly maker: string;
  /** Length of the vectors of a dense space; 0 for a lexical one. */
  readonly dimensions: number;
  readonly state: "building" | "active" | "retired";
}

/** What a space holds of a grain. */
export type IndexEntry =
  /** Terms of the text in any order, as often as they occur in it. */
  | { readonly space: number; readonly terms: readonly string[] }
  /** Of length 1, so that the dot product of two is the cosine of their angle. */
  | { readonly space: number; readonly vector: Float32Array };

/** Which grains a search may return. Lists hold what is allowed; `null` among labels stands for "without". */
export interface GrainConditions {
  readonly sessionIds?: readonly (string | null)[] | undefined;
  readonly agentIds?: readonly (string | null)[] | undefined;
  readonly ownerKinds?: readonly Grain["ownerKind"][] | undefined;
  readonly provenance?: readonly Provenance[] | undefined;
  readonly status?: readonly GrainStatus[] | undefined;
  /** `saidAt` from this moment on, in milliseconds. */
  readonly from?: number | undefined;
  /** `saidAt` before this moment, in milliseconds. */
  readonly until?: number | undefined;
  /** On the grain's metadata. */
  readonly filter?: Filter | undefined;
}

/** Grains that hold at least one of the terms, the best first as a plain BM25 sees it. */
export interface MatchOp {
  readonly type: "match";
  /** A lexical space. */
  readonly space: number;
  /** Distinct terms, at most 256. */
  readonly terms: readonly string[];
  /** At most 1,000. */
  readonly limit: number;
  readonly where?: GrainConditions | undefined;
}

export interface Matches {
  /** Entries that the partition has in the space, whatever the conditions. */
  readonly documents: number;
  /** Terms of an entry in the mean. */
  readonly averageLength: number;
  /** For each term, in how many of the partition's entries it occurs. */
  readonly frequencies: readonly number[];
  readonly candidates: readonly {
    readonly grain: Stored<Grain>;
    /** Terms of its entry. */
    readonly length: number;
    /** For each term, how often it occurs in the entry. */
    readonly counts: readonly number[];
  }[];
}

/**
 * Grains whose vectors are nearest by cosine, the nearest first. Exact, but for partitions that are so large that PostgreSQL
 * searches them along an index, which may miss some.
 */
export interface NearestOp {
  readonly type: "nearest";
  /** A dense space. */
  readonly space: number;
  readonly vector: Float32Array;
  /** At most 1,000. */
  readonly limit: number;
  readonly where?: GrainConditions | undefined;
}

export type Neighbours = readonly {
  readonly grain: Stored<Grain>;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}[];

/** Grains that stand directly before and after others in their sessions, by `seq`, among those of the same kind of owner. */
export interface AroundOp {
  readonly type: "around";
  /** Grains as a search returned them, at most 1,000. Those without a session have no neighbours. */
  readonly grains: readonly Pick<Stored<Grain>, "id" | "sessionId" | "ownerKind" | "seq">[];
  /** How many before, and how many after, 1 to 8. */
  readonly reach: number;
}

export type Surroundings = readonly {
  /** The grain whose neighbour this is. */
  readonly of: string;
  /** Places from it: negative before, positive after. */
  readonly distance: number;
  readonly grain: Stored<Grain>;
}[];

/** Most terms of a match, most results of a search, and most neighbours to a side. */
export const searchLimits = { terms: 256, results: 1000, reach: 8 } as const;

/** What a space is declared with. */
export interface NewSpace extends Pick<Space, "kind" | "maker" | "dimensions"> {
  /** Have it be built before it is searched, also where its kind has no active space yet. */
  readonly state?: "building" | undefined;
}

export interface Spaces {
  /** All spaces of the store, the oldest first. */
  list(options?: CallOptions): Promise<readonly Space[]>;
  /**
   * The space of this kind and maker; made if there is none, or none but retired ones: active if its kind has no active one,
   * else building. From then on every commit with index entries has to know of it, see `Append.spaces`.
   *
   * @param space.dimensions length of the vectors, 1 to 16,000, of a dense space
   * @param space.state `building` for a space that has to be filled before it is searched, even if it is the first of its kind
   */
  declare(
    space: Omit<NewSpace, "dimensions"> & { readonly dimensions?: number },
    options?: CallOptions,
  ): Promise<Space>;
  /** Makes a space the active one of its kind, and retires the one that was. */
  activate(id: number, options?: CallOptions): Promise<Space>;
  /** Removes a space that is not active, with all that it holds. */
  drop(id: number, options?: CallOptions): Promise<void>;
}

/** What to put into the index for a grain that is there already. */
export interface GrainEntries {
  readonly grainId: string;
  readonly entries: readonly IndexEntry[];
  /** The grain's `updatedSeq` when its text was read. If it was changed since, its entries are left out. */
  readonly updatedSeq?: number | undefined;
}

/**
 * What declaring a space comes to: the one that there is already, or the state of a new one.
 *
 * @param spaces all that there are
 */
export function declared(
  spaces: readonly Space[],
  { kind, maker, state }: NewSpace,
): Space | { readonly state: Space["state"] } {
  const live = spaces.filter((space) => space.kind === kind && space.state !== "retired");
  const first = live.every((space) => space.state !== "active");
  return live.find((space) => space.maker === maker) ?? { state: state ?? (first ? "active" : "building") };
}
