import type { Ref, Source } from "../model/record.ts";
import type { Kind, Kinds } from "./schema.ts";
import type { IndexEntry } from "./search.ts";

export interface Insert<K extends Kind = Kind> {
  readonly type: "insert";
  readonly kind: K;
  readonly value: Kinds[K];
  /** An id of the caller's own; otherwise it follows from the operation, see `recordId`. */
  readonly id?: string | undefined;
  /** The records it was derived from. They must be there; when they are erased, it goes or loses its ground. */
  readonly sources?: readonly Source[] | undefined;
  /** What the index is to hold of a grain. Not part of the operation's payload: a retry may come with other entries. */
  readonly index?: readonly IndexEntry[] | undefined;
}

export interface Patch<K extends Kind = Kind> {
  readonly type: "patch";
  readonly kind: K;
  readonly id: string;
  /** Properties to replace; an explicit undefined removes an optional one. */
  readonly value: { readonly [P in keyof Kinds[K]]?: Kinds[K][P] | undefined };
  /** Sources to add. */
  readonly sources?: readonly Source[] | undefined;
  /** Records that it rests on no more, in whatever role; they need not be there. */
  readonly dropped?: readonly Ref[] | undefined;
  /**
   * Of a grain whose text changed: all that the index is to hold of it from now on. A space without an entry here holds nothing
   * of it any more. Left out, the index stays as it is.
   */
  readonly index?: readonly IndexEntry[] | undefined;
}

/** Kinds of which one record can go alone, or a grain with what follows it. */
export const removableKinds = ["block", "value", "conduit", "trace", "feedback", "grain"] as const;
export type RemovableKind = (typeof removableKinds)[number];

export interface Remove {
  readonly type: "remove";
  readonly kind: RemovableKind;
  readonly id: string;
}

export type Mutation = { [K in Kind]: Insert<K> | Patch<K> }[Kind] | Remove;

/** Inserts a record. Its id must not be taken. */
export function insert<K extends Kind>(
  kind: K,
  value: Kinds[K],
  options: Pick<Insert, "id" | "sources" | "index"> = {},
): Insert<K> {
  return { type: "insert", kind, value, ...options };
}

/** Changes some properties of a record, which must be there. */
export function patch<K extends Kind>(
  kind: K,
  id: string,
  value: Patch<K>["value"],
  options: Pick<Patch, "sources" | "dropped" | "index"> = {},
): Patch<K> {
  return { type: "patch", kind, id, value, ...options };
}

/**
 * Removes one record, which must be there and from which nothing was derived, and leaves no marker. The conduits and the feedback
 * of a grain go with it, and jobs that are about nothing else. To forget for good, erase.
 */
export function remove(kind: RemovableKind, id: string): Remove {
  return { type: "remove", kind, id };
}
