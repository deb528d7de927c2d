import type { Ref, Source, Stored } from "../model/record.ts";
import type { IndexRange, IndexValue } from "./driver.ts";
import type { Filter } from "./filter.ts";
import type { PartitionHead } from "./ledger.ts";
import type { Kind, Kinds } from "./schema.ts";
import type { AroundOp, Matches, MatchOp, NearestOp, Neighbours, Surroundings } from "./search.ts";

export interface GetOp<K extends Kind = Kind> {
  readonly type: "get";
  readonly kind: K;
  readonly id: string;
}

export interface FindOptions {
  /** A declared index of the kind, or `byId`. Default `byId`. */
  readonly index?: string | undefined;
  /** Values of the index's leading columns. */
  readonly prefix?: readonly (IndexValue | null)[] | undefined;
  /** Bounds of the column after the prefix. */
  readonly range?: IndexRange | undefined;
  readonly reverse?: boolean | undefined;
  /** Metadata filter, applied before the limit. */
  readonly filter?: Filter | undefined;
  /** Cursor of the page before. */
  readonly after?: string | undefined;
  /** Records in the page, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined;
}

export interface FindOp<K extends Kind = Kind> extends FindOptions {
  readonly type: "find";
  readonly kind: K;
}

export interface SourcesOp {
  readonly type: "sources";
  readonly kind: Kind | "job";
  readonly id: string;
}

export interface DerivedOp {
  readonly type: "derived";
  readonly kind: Kind;
  readonly id: string;
}

export interface HeadOp {
  readonly type: "head";
}

export type ReadOp =
  | { [K in Kind]: GetOp<K> | FindOp<K> }[Kind]
  | SourcesOp
  | DerivedOp
  | HeadOp
  | MatchOp
  | NearestOp
  | AroundOp;

export interface Page<T> {
  readonly items: readonly T[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
}

type ReadResult<Op> =
  Op extends GetOp<infer K>
    ? Stored<Kinds[K]> | undefined
    : Op extends FindOp<infer K>
      ? Page<Stored<Kinds[K]>>
      : Op extends SourcesOp
        ? readonly (Source & { readonly role: string })[]
        : Op extends DerivedOp
          ? readonly (Ref & { readonly role: string })[]
          : Op extends HeadOp
            ? PartitionHead | undefined
            : Op extends MatchOp
              ? Matches
              : Op extends NearestOp
                ? Neighbours
                : Op extends AroundOp
                  ? Surroundings
                  : never;

/** The results of a list of reads, in its order. */
export type ReadResults<Ops extends readonly unknown[]> = { readonly [I in keyof Ops]: ReadResult<Ops[I]> };

/** Reads one record by its id; undefined when it is not there or has expired. */
export function get<K extends Kind>(kind: K, id: string): GetOp<K> {
  return { type: "get", kind, id };
}

/** Reads a page of records along an index. A `null` in the prefix asks for records without that label. */
export function find<K extends Kind>(kind: K, options: FindOptions = {}): FindOp<K> {
  return { type: "find", kind, ...options };
}

/** Reads what a record was derived from. */
export function sourcesOf(kind: Kind | "job", id: string): SourcesOp {
  return { type: "sources", kind, id };
}

/** Reads what was derived from a record. */
export function derivedFrom(kind: Kind, id: string): DerivedOp {
  return { type: "derived", kind, id };
}

/** Reads the state of the partition; undefined when nothing was ever written to it. */
export function head(): HeadOp {
  return { type: "head" };
}

/** Searches a lexical space: grains that hold at least one of the terms, with what it takes to score them. */
export function match(options: Omit<MatchOp, "type">): MatchOp {
  return { type: "match", ...options };
}

/** Searches a dense space: the grains whose vectors are nearest. */
export function nearest(options: Omit<NearestOp, "type">): NearestOp {
  return { type: "nearest", ...options };
}

/** Reads the grains that stand next to others in their sessions. */
export function around(options: Omit<AroundOp, "type">): AroundOp {
  return { type: "around", ...options };
}
