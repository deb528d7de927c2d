import type { FactVersion } from "../model/fact.ts";
import type { Grain, GrainStatus } from "../model/grain.ts";
import { base32, digest } from "../model/hash.ts";
import type { Ref, Source } from "../model/record.ts";
import type { Kinds } from "../store/schema.ts";
import type { IndexEntry } from "../store/search.ts";
import type { PlainKind } from "./export-line.ts";
import type { ExtractionQueue } from "./extract-queue.ts";

/** A unit of recall that is to be restored, with what the index is to hold of it. */
export interface RestoredPiece {
  /** Its own id; undefined for a new one, where the text is cut otherwise by now. */
  readonly id: string | undefined;
  readonly content: Omit<Grain, "ownerKind" | "ownerId" | "status"> & { readonly status: GrainStatus };
  readonly entries: readonly IndexEntry[];
  /** Spaces whose entry is to be made by a job. */
  readonly missing: readonly number[];
}

/** A record, or a version of a fact, that is to be restored. */
export interface RestoredOwner {
  readonly type: "owner";
  readonly kind: "message" | "text" | "episode" | "fact";
  readonly id: string;
  readonly value: Kinds["message"] | Kinds["text"] | Kinds["episode"] | FactVersion;
  readonly pieces: readonly RestoredPiece[];
  readonly sources: readonly Source[];
  /** Of a message or an episode: how many of those before it in the import are the same, itself included. */
  readonly nth: number;
  /** Who is still to derive something from it. */
  readonly queues: readonly ExtractionQueue[];
  /** Length of its text. */
  readonly units: number;
}

/** Something of a kind that nothing has to be made of. */
export interface RestoredPlain {
  readonly type: "plain";
  readonly kind: PlainKind;
  readonly id: string;
  readonly value: object;
}

/** What a record rests on besides. */
export interface RestoredLinks {
  readonly type: "links";
  readonly kind: "text" | "fact" | "grain";
  readonly id: string;
  readonly sources: readonly Source[];
}

export type RestoreItem = RestoredOwner | RestoredPlain | RestoredLinks;

export interface RestoreAside {
  readonly items: readonly RestoreItem[];
  /** What the clock said when the call began. */
  readonly now: number;
  readonly spaces: readonly number[];
  /** When the export began: what is there since then may be from it. */
  readonly exportedAt: number;
  /** The last write of the partition before the import: what came later is the import's own. 0 where there was nothing. */
  readonly begun: number;
  /** Whether something was erased in the partition, so that what was imported then may have other ids. */
  readonly renewed: boolean;
  /** Which id what is not there is to get: 0 for its own, a higher one where that was used up by something erased. */
  readonly level: number;
  /** Ids under which others have what they say, by name. */
  readonly renamed: readonly (readonly [name: string, id: string])[];
}

/** The most ids that one record may get in turn. */
export const maxLevel = 4;

export function nameOf({ kind, id }: Ref): string {
  return `${kind} ${id}`;
}

/** An id in the place of one that was used up; the same each time. */
export function idOfLevel({ kind, id }: Ref, level: number): string {
  return level === 0 ? id : base32(digest("import", kind, id, String(level)).subarray(0, 16));
}

/** The ids under which a record may be there. */
export function idsOf(ref: Ref, { renewed }: Pick<RestoreAside, "renewed">): readonly string[] {
  const levels = renewed ? Array.from({ length: maxLevel + 1 }, (_, level) => level) : [0];
  return levels.map((level) => idOfLevel(ref, level));
}
