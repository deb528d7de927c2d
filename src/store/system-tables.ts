import type { Row, Table } from "./table.ts";

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

/** One string for one link. */
export function linkName(row: Row): string {
  return JSON.stringify(systemTables.link.key.map((column) => row[column]));
}
