import type { Block } from "../model/block.ts";
import type { Conduit } from "../model/conduit.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Feedback } from "../model/feedback.ts";
import type { GrainStatus } from "../model/grain.ts";
import type { Json } from "../model/json.ts";
import type { Source } from "../model/record.ts";
import type { TextForm } from "../model/text.ts";
import type { KeyedValue } from "../model/value.ts";
import type { MemoryRecord } from "./memory-record.ts";

/** The form of an export. Rises when an older version of this package could not import it. */
export const exportVersion = 2;

/** Kinds whose records are exported and restored as they are, in the order in which they can be restored. */
export const plainKinds = ["block", "value", "conduit", "feedback"] as const;
export type PlainKind = (typeof plainKinds)[number];

/** A unit of recall, as far as it is not as its record is. */
export interface ExportedGrain {
  readonly id: string;
  /** The span of the text that it stands for; absent for the whole. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Where it is another one than that of the record. */
  readonly status?: GrainStatus | undefined;
  readonly mentions?: number | undefined;
  readonly supersededBy?: string | undefined;
}

/** What lines of records, facts and others have in common. */
interface ExportedFrom {
  readonly id: string;
  /** When it was stored, in milliseconds. An import stamps its own. */
  readonly recordedAt?: number | undefined;
}

/** What rests on other records. */
interface ExportedDerived {
  /** What it rests on: records that come before it. Those that come behind it are in a line of `links`. */
  readonly sources?: readonly Source[] | undefined;
  readonly grains?: readonly ExportedGrain[] | undefined;
}

/** A text, a message or an episode. In a version 1 the ids of its grains are in `grainIds`, and stand for nothing. */
export type RecordLine = { readonly type: "record" } & Omit<MemoryRecord, "grainIds"> &
  ExportedDerived & {
    readonly grainIds?: readonly string[] | undefined;
    /** Of a text that is no note. */
    readonly form?: TextForm | undefined;
    /** Present while something is still to be derived from it. */
    readonly unread?: true | undefined;
    readonly toolCalls?: Json;
    readonly toolCallId?: string;
  };

/** One version of a fact. */
export type FactLine = { readonly type: "fact" } & ExportedFrom &
  ExportedDerived &
  Omit<FactVersion, "subjectKey" | "objectKey">;

export type BlockLine = { readonly type: "block" } & ExportedFrom & Block;
export type ValueLine = { readonly type: "value" } & ExportedFrom & KeyedValue;
export type ConduitLine = { readonly type: "conduit" } & ExportedFrom & Conduit;
export type FeedbackLine = { readonly type: "feedback" } & ExportedFrom & Feedback;

/** What a record rests on besides, that came behind it; of a grain, what replaces it. */
export interface LinksLine {
  readonly type: "links";
  readonly kind: "text" | "fact" | "grain";
  readonly id: string;
  readonly sources: readonly Source[];
}

/** What the parts of an import have in common that is done in several calls. */
export interface ImportPart {
  /** The last write of the memory before the first part. */
  readonly begun?: number | undefined;
  /** Which records are there under other ids: by `name`, kind and id as in `text 123`, the id there. Those that a part names are enough. */
  readonly renamed?: readonly { readonly name: string; readonly id: string }[] | undefined;
}

/** The first line. */
export interface HeaderLine {
  readonly type: "flux-memory";
  readonly version: number;
  /** In milliseconds. */
  readonly exportedAt: number;
  /**
   * Of an import in several calls, each with a header and some of the lines, in their order: `{}` in the first, then what the reports of
   * those before it said.
   */
  readonly part?: ImportPart | undefined;
}

/**
 * One line of an export; JSON. The first is a header, each other one a record with what belongs to it. `recordedAt`, `version` and
 * `repaired` are those of where it comes from, and are not restored.
 */
export type ExportLine =
  | HeaderLine
  | RecordLine
  | FactLine
  | LinksLine
  | BlockLine
  | ValueLine
  | ConduitLine
  | FeedbackLine;
