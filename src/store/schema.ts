import type * as z from "zod";
import { type Block, blockSchema } from "../model/block.ts";
import { type Conduit, conduitSchema } from "../model/conduit.ts";
import { type Episode, episodeSchema } from "../model/episode.ts";
import { type FactVersion, factSchema } from "../model/fact.ts";
import { type Feedback, feedbackSchema } from "../model/feedback.ts";
import { type Grain, grainSchema } from "../model/grain.ts";
import { type Message, messageSchema } from "../model/message.ts";
import { type StoredText, textSchema } from "../model/text.ts";
import { type Trace, traceSchema } from "../model/trace.ts";
import { type KeyedValue, valueSchema } from "../model/value.ts";
import { systemTables } from "./system-tables.ts";
import type { ColumnType, Follow, Index, RecordTable, Table } from "./table.ts";

/** The kinds of record and their contents. */
export interface Kinds {
  readonly message: Message;
  readonly episode: Episode;
  readonly text: StoredText;
  readonly grain: Grain;
  readonly fact: FactVersion;
  readonly block: Block;
  readonly value: KeyedValue;
  readonly conduit: Conduit;
  readonly trace: Trace;
  readonly feedback: Feedback;
}
export type Kind = keyof Kinds;

/** Columns that the ledger fills in; `bytes` is its account of the record's size and is not handed out. */
const stampColumns = {
  id: "id",
  seq: "integer",
  updatedSeq: "integer",
  recordedAt: "integer",
  repaired: "boolean?",
  bytes: "integer",
} as const satisfies Record<string, ColumnType>;

const labels = { sessionId: "id?", agentId: "id?" } as const;
const expiry = { metadata: "json?", expiresAt: "integer?" } as const;

function recordTable<T>(options: {
  readonly name: Kind;
  readonly schema: z.ZodObject & z.ZodType<T>;
  // Every property of the record is a column, and the other way round.
  readonly columns: { readonly [K in keyof Required<T>]: ColumnType };
  readonly indexes?: Readonly<Record<string, Index>>;
  readonly mutable?: readonly (keyof T & string)[];
  readonly onSourceErased?: "survive";
  readonly follows?: readonly Follow[];
  readonly aged?: false;
  readonly marked?: false;
  readonly counted?: false;
  readonly thread?: keyof T & string;
}): RecordTable {
  const {
    columns,
    indexes = {},
    mutable = [],
    onSourceErased = "erase",
    follows = [],
    aged = true,
    marked = true,
    counted = true,
  } = options;
  const expires = "expiresAt" in columns;
  return {
    mutable,
    onSourceErased,
    follows,
    marked,
    counted,
    ...options,
    columns: { ...stampColumns, ...(columns as Record<string, ColumnType>) },
    key: ["id"],
    indexes: { ...("sessionId" in columns ? labelIndexes : {}), ...indexes },
    expires,
    aged: expires && aged,
  };
}

/** Every kind with labels has indexes on them, so that an erasure by label misses none. */
const labelIndexes = {
  bySession: { columns: ["sessionId", "seq"] },
  byAgent: { columns: ["agentId", "seq"] },
} satisfies Record<string, Index>;

/**
 * The tables of records, one a kind. Besides the named indexes each has `byId`. Indexed columns hold at most 1,536 bytes
 * together, which is what a PostgreSQL B-tree entry can take with room to spare.
 */
export const recordTables: { readonly [K in Kind]: RecordTable } = {
  message: recordTable<Message>({
    name: "message",
    schema: messageSchema,
    columns: {
      ...labels,
      sessionId: "id",
      role: "text",
      content: "text",
      name: "text?",
      toolCalls: "json?",
      toolCallId: "id?",
      saidAt: "integer",
      ...expiry,
    },
    indexes: { bySeq: { columns: ["seq"] }, byTime: { columns: ["saidAt", "seq"] } },
    mutable: ["metadata", "expiresAt"],
  }),
  episode: recordTable<Episode>({
    name: "episode",
    schema: episodeSchema,
    columns: {
      ...labels,
      input: "text",
      output: "text",
      transcript: "json?",
      occurredAt: "integer",
      ...expiry,
    },
    indexes: { bySeq: { columns: ["seq"] }, byTime: { columns: ["occurredAt", "seq"] } },
    // One that is remembered again with other content takes the place of the first.
    mutable: ["sessionId", "agentId", "input", "output", "transcript", "occurredAt", "metadata", "expiresAt"],
  }),
  text: recordTable<StoredText>({
    name: "text",
    schema: textSchema,
    columns: {
      ...labels,
      form: "id",
      content: "text",
      contentKey: "id?",
      provenance: "text",
      statedAt: "integer",
      ...expiry,
    },
    indexes: {
      bySeq: { columns: ["seq"] },
      byForm: { columns: ["form", "seq"] },
      byTime: { columns: ["statedAt", "seq"] },
      byContent: { columns: ["contentKey", "seq"] },
    },
    mutable: ["content", "contentKey", "provenance", "statedAt", "metadata", "expiresAt"],
  }),
  grain: recordTable<Grain>({
    name: "grain",
    schema: grainSchema,
    columns: {
      ...labels,
      ownerKind: "id",
      ownerId: "id",
      start: "integer?",
      end: "integer?",
      status: "id",
      provenance: "text",
      author: "text?",
      importance: "real?",
      pinned: "boolean?",
      mentions: "integer?",
      supersededBy: "id?",
      saidAt: "integer",
      ...expiry,
    },
    indexes: {
      byOwner: { columns: ["ownerKind", "ownerId", "seq"] },
      byStatus: { columns: ["status", "seq"] },
      byTime: { columns: ["saidAt", "seq"] },
    },
    mutable: [
      "start",
      "end",
      "status",
      "provenance",
      "importance",
      "pinned",
      "mentions",
      "supersededBy",
      "metadata",
      "expiresAt",
    ],
    follows: [{ index: "byOwner" }],
  }),
  fact: recordTable<FactVersion>({
    name: "fact",
    schema: factSchema,
    columns: {
      ...labels,
      factId: "id",
      subject: "id",
      predicate: "id",
      object: "text",
      subjectKey: "id",
      objectKey: "id",
      affirmed: "boolean",
      confidence: "real",
      provenance: "text",
      validFrom: "json?",
      validUntil: "json?",
      status: "id",
      recordedFrom: "integer",
      retiredAt: "integer?",
      retiredReason: "text?",
      mentions: "integer?",
      evidence: "json?",
      reason: "text?",
      expiresAt: "integer?",
    },
    indexes: {
      byFact: { columns: ["factId", "seq"] },
      // Of a subject; of a subject and a predicate; of all three.
      bySubject: { columns: ["status", "subjectKey", "predicate", "objectKey", "seq"] },
      // Of a subject, and of a subject and a predicate, in the order in which they were recorded.
      bySubjectSeq: { columns: ["status", "subjectKey", "seq"] },
      bySubjectPredicate: { columns: ["status", "subjectKey", "predicate", "seq"] },
      byPredicate: { columns: ["status", "predicate", "seq"] },
      byObject: { columns: ["status", "objectKey", "seq"] },
      byStatus: { columns: ["status", "seq"] },
    },
    // Versions are only added: all that changes of one is that it is not believed any more, and for how long it is kept.
    // Of what was said of a version, a record that says something else by now takes its part away.
    mutable: ["status", "retiredAt", "retiredReason", "mentions", "evidence", "expiresAt"],
    onSourceErased: "survive",
    aged: false,
    thread: "factId",
  }),
  block: recordTable<Block>({
    name: "block",
    schema: blockSchema,
    columns: {
      agentId: "id?",
      name: "id",
      content: "text",
      position: "integer",
      pinned: "boolean?",
      maxBytes: "integer?",
      updatedAt: "integer?",
    },
    indexes: { byName: { columns: ["agentId", "name"], unique: true } },
    mutable: ["content", "position", "pinned", "maxBytes", "updatedAt"],
  }),
  value: recordTable<KeyedValue>({
    name: "value",
    schema: valueSchema,
    columns: { agentId: "id", scope: "id", key: "id", value: "json" },
    indexes: { byKey: { columns: ["agentId", "scope", "key"], unique: true } },
    mutable: ["value"],
  }),
  conduit: recordTable<Conduit>({
    name: "conduit",
    schema: conduitSchema,
    columns: {
      fromId: "id",
      toId: "id",
      relation: "id",
      weight: "real",
      useCount: "integer",
      lastUsedAt: "integer?",
    },
    indexes: {
      byEnds: { columns: ["fromId", "toId", "relation"], unique: true },
      byTarget: { columns: ["toId", "fromId"] },
    },
    mutable: ["weight", "useCount", "lastUsedAt"],
    follows: [
      { index: "byEnds", kind: "grain" },
      { index: "byTarget", kind: "grain" },
    ],
    marked: false,
  }),
  trace: recordTable<Trace>({
    name: "trace",
    schema: traceSchema,
    columns: {
      ...labels,
      query: "text",
      hits: "json",
      caller: "id?",
      feedback: "id?",
      expiresAt: "integer?",
    },
    indexes: {
      bySeq: { columns: ["seq"] },
      // Those of a caller that wait for feedback, since a moment: record time and sequence go the same way.
      byCaller: { columns: ["caller", "feedback", "recordedAt", "seq"] },
    },
    mutable: ["feedback", "expiresAt"],
    marked: false,
    counted: false,
  }),
  feedback: recordTable<Feedback>({
    name: "feedback",
    schema: feedbackSchema,
    columns: { traceId: "id", grainId: "id", caller: "id?", useful: "boolean" },
    indexes: {
      byTrace: { columns: ["traceId", "grainId", "seq"] },
      byGrain: { columns: ["grainId", "seq"] },
    },
    mutable: ["useful"],
    follows: [{ index: "byGrain", kind: "grain" }],
    marked: false,
  }),
};

/** Whether the partition's time to live bounds a record. A unit of recall stays as long as what it is one of: that of a fact, too. */
export function isAged({ name, aged }: RecordTable, record: Readonly<Record<string, unknown>>): boolean {
  return name === "grain" ? recordTables[record.ownerKind as Grain["ownerKind"]].aged : aged;
}

/** All tables, laid out alike by every adapter. */
export const tables: readonly Table[] = [...Object.values(recordTables), ...Object.values(systemTables)];
