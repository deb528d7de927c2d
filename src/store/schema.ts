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
import type { ColumnType, Follow, Index, RecordTable, Row, Table } from "./table.ts";

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
    indexes: { byTime: { columns: ["occurredAt", "seq"] } },
    mutable: ["transcript", "metadata", "expiresAt"],
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
      affirmed: "boolean",
      confidence: "real",
      provenance: "text",
      validFrom: "json?",
      validUntil: "json?",
      status: "id",
      retiredAt: "integer?",
      reason: "text?",
      expiresAt: "integer?",
    },
    indexes: {
      byFact: { columns: ["factId", "seq"] },
      bySubject: { columns: ["subject", "predicate", "status", "seq"] },
      byStatus: { columns: ["status", "seq"] },
    },
    // Versions are only added: all that changes of one is that another replaced it, and for how long it is kept.
    mutable: ["status", "retiredAt", "expiresAt"],
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
    },
    indexes: { byName: { columns: ["agentId", "name"], unique: true } },
    mutable: ["content", "position", "pinned", "maxBytes"],
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
    columns: { ...labels, query: "text", hits: "json", caller: "id?", expiresAt: "integer?" },
    indexes: {
      bySeq: { columns: ["seq"] },
      // Those of a caller since a moment: record time and sequence go the same way.
      byCaller: { columns: ["caller", "recordedAt", "seq"] },
    },
    mutable: ["expiresAt"],
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

/** What the ledger remembers of an operation: enough to answer a retry, and to refuse another payload. */
const operation = {
  name: "operation",
  columns: {
    id: "id",
    // Keyed with the partition's salt, which every erasure replaces: a fingerprint never outlives what was erased.
    fingerprint: "text",
    generation: "integer",
    seq: "integer",
    recordedAt: "integer",
    // How many records were inserted; their ids follow from the operation, and are kept only where they were given.
    inserted: "integer",
    ids: "json?",
    repaired: "json?",
    result: "json?",
  },
  key: ["id"],
  indexes: {},
} as const satisfies Table;

const job = {
  name: "job",
  columns: {
    id: "id",
    seq: "integer",
    queue: "id",
    payload: "json?",
    dead: "boolean",
    attempts: "integer",
    maxAttempts: "integer",
    readyAt: "integer",
    lease: "id?",
    generation: "integer",
    error: "text?",
  },
  key: ["id"],
  indexes: { byLane: { columns: ["dead", "queue", "seq"] } },
} as const satisfies Table;

/** What an erasure leaves of a record: its id, so that late work cannot bring it back. */
const marker = {
  name: "marker",
  columns: { kind: "id", id: "id", erasure: "id" },
  key: ["kind", "id"],
  indexes: { byErasure: { columns: ["erasure"] } },
} as const satisfies Table;

/** Which record, or job, rests on which record. */
const link = {
  name: "link",
  columns: {
    derivedKind: "id",
    derivedId: "id",
    sourceKind: "id",
    sourceId: "id",
    role: "id",
    start: "integer?",
    end: "integer?",
  },
  key: ["derivedKind", "derivedId", "sourceKind", "sourceId", "role"],
  indexes: { bySource: { columns: ["sourceKind", "sourceId"] } },
} as const satisfies Table;

const erasure = {
  name: "erasure",
  columns: {
    id: "id",
    physical: "boolean",
    everything: "boolean",
    seq: "integer",
    recordedAt: "integer",
    counts: "json",
    // Digest of what was to be erased (ids only), to tell a retry from another request.
    scope: "text",
    // What the adapter needs to tell when the files are clean.
    mark: "text",
  },
  key: ["id"],
  indexes: { byState: { columns: ["physical"] } },
} as const satisfies Table;

/** A purge: what it was, what became of it, and while it is open, when something is to be done about it. */
const purge = {
  name: "purge",
  columns: {
    id: "id",
    // "open", "undone" or "erased".
    state: "id",
    seq: "integer",
    recordedAt: "integer",
    // Until when it can be undone.
    until: "integer",
    counts: "json",
    // Digest of what was to be purged (ids only), as of an erasure.
    scope: "text",
    // The operation that took it back, and what came back.
    undo: "id?",
    restored: "json?",
    // When an open purge ends, or the first record that it hides would have expired.
    expiresAt: "integer?",
  },
  key: ["id"],
  indexes: { byState: { columns: ["state"] } },
} as const satisfies Table;

/** What a purge hides: a record that stays where it is, or a job that lies here meanwhile. */
const seal = {
  name: "seal",
  columns: {
    kind: "id",
    id: "id",
    purge: "id",
    // Whether the purge named it; what else it hides was derived from what it named.
    named: "boolean",
    // The record's own `expiresAt`.
    expires: "integer?",
    job: "json?",
  },
  key: ["kind", "id", "purge"],
  indexes: { byPurge: { columns: ["purge"] } },
} as const satisfies Table;

/**
 * `expiresAt` of a record that a purge hides: earlier than any moment that a record can be given, so that it is expired for every
 * read at every time, and can be told from what has only come of age.
 */
export const sealedMoment = -8.64e15 - 1;

/** The ledger's own tables. */
export const systemTables = { operation, job, marker, link, erasure, purge, seal } as const;

export const tables: readonly Table[] = [...Object.values(recordTables), ...Object.values(systemTables)];

/** One string for one link. */
export function linkName(row: Row): string {
  return JSON.stringify(link.key.map((column) => row[column]));
}
