import type { ErrorCode } from "../../model/errors.ts";
import { recordId } from "../../model/ids.ts";
import type { NewJob } from "../../model/job.ts";
import type { Source } from "../../model/record.ts";
import type { Insert, Patch, Remove } from "../batch.ts";
import { isAged, type Kind, recordTables } from "../schema.ts";
import { bytesOf } from "./invariants.ts";
import {
  followed,
  linkName,
  type ModelJob,
  type ModelLink,
  type ModelRecord,
  nameOf,
  type PartitionModel,
  refOf,
} from "./partition-model.ts";

export type ModelMutation = Insert | Patch | Remove;

/** What a commit should do: fail for one of the reasons, or give these ids. */
export interface Expected {
  readonly reasons: ReadonlySet<ErrorCode>;
  readonly ids: readonly string[];
  readonly repaired: readonly string[];
}

/** Decides what a batch does, and does it when there is no reason against it. */
export function commitBatch(
  model: PartitionModel,
  {
    operation,
    mutations,
    jobs,
    now,
  }: {
    readonly operation: string;
    readonly mutations: readonly ModelMutation[];
    readonly jobs: readonly NewJob[];
    readonly now: number;
  },
): Expected {
  const draft = new Draft(model, operation, now);
  for (const mutation of mutations) draft.mutate(mutation);
  for (const [i, job] of jobs.entries()) draft.enqueue(job, recordId(model.partition, operation, i));
  return draft.finish();
}

/** One commit in the making. */
class Draft {
  readonly #model: PartitionModel;
  readonly #operation: string;
  readonly #now: number;
  readonly #recordedAt: number;
  readonly #records: Map<string, ModelRecord>;
  readonly #links: Map<string, ModelLink>;
  readonly #jobs: ModelJob[] = [];
  readonly #reasons = new Set<ErrorCode>();
  readonly #touched = new Set<string>();
  readonly #needed: string[] = [];
  readonly #ids: string[] = [];
  readonly #repaired: string[] = [];
  readonly #changes: string[] = [];
  /** Jobs that may have nothing left to do. */
  readonly #idle: string[] = [];
  // In which order those go that follow another is up to the ledger.
  #ordered = true;
  #seq: number;
  #ordinal = 0;

  constructor(model: PartitionModel, operation: string, now: number) {
    this.#model = model;
    this.#operation = operation;
    this.#now = now;
    this.#recordedAt = Math.max(now, model.recordedAt);
    this.#records = new Map(model.records);
    this.#links = new Map(model.links);
    this.#seq = model.seq;
  }

  mutate(mutation: ModelMutation): void {
    this.#seq += 1;
    if (mutation.type === "insert") this.#insert(mutation);
    else if (mutation.type === "patch") this.#patch(mutation);
    else this.#remove(mutation);
  }

  #insert({ kind, value, id: given, sources = [] }: Insert): void {
    const id = given ?? recordId(this.#model.partition, this.#operation, this.#ordinal);
    this.#ordinal += 1;
    const name = nameOf({ kind, id });
    this.#ids.push(id);
    const before = this.#records.get(name);
    if (this.#model.markers.has(name) || (before !== undefined && this.#model.isGone(before, this.#now)))
      this.#reasons.add("erased");
    else if (before !== undefined || this.#touched.has(name)) this.#reasons.add("already_exists");
    this.#touched.add(name);
    const { content, repaired } = kept(value);
    if (repaired) this.#repaired.push(id);
    this.#put(name, kind, id, {
      ...this.#limited(kind, content),
      ...(repaired ? { repaired: true } : {}),
      ...{ id, seq: this.#seq, updatedSeq: this.#seq, recordedAt: this.#recordedAt },
    });
    this.#link(name, sources);
    this.#needed.push(...followed(kind, content));
    this.#changes.push(`insert ${name}`);
  }

  #patch({ kind, id, value, sources = [] }: Patch): void {
    const name = nameOf({ kind, id });
    const before = this.#records.get(name);
    if (before === undefined || this.#model.isGone(before, this.#now)) {
      this.#reasons.add("not_found");
      return;
    }
    this.#touched.add(name);
    const { content, repaired } = kept(value);
    const merged = Object.entries({ ...before.record, ...content }).filter(([, item]) => item !== undefined);
    const limited =
      "expiresAt" in value ? this.#limited(kind, Object.fromEntries(merged)) : Object.fromEntries(merged);
    this.#put(name, kind, id, {
      ...(limited as ModelRecord["record"]),
      updatedSeq: this.#seq,
      ...(repaired ? { repaired: true as const } : {}),
    });
    this.#link(name, sources);
    this.#changes.push(`update ${name}`);
  }

  #remove({ kind, id }: Remove): void {
    const name = nameOf({ kind, id });
    const before = this.#records.get(name);
    if (before === undefined || this.#model.isGone(before, this.#now)) {
      this.#reasons.add("not_found");
      return;
    }
    const below = this.#model.derivedFrom(name).map(({ derived }) => derived);
    if (below.some((derived) => !derived.startsWith("job "))) this.#reasons.add("invalid_argument");
    const going = [name];
    for (const [other, { kind, record }] of this.#records)
      if (this.#model.records.has(other) && followed(kind, record).includes(name)) going.push(other);
    for (const gone of going) {
      this.#touched.add(gone);
      this.#records.delete(gone);
      for (const [key, { derived }] of this.#links) if (derived === gone) this.#links.delete(key);
    }
    for (const [key, { derived, source }] of this.#links)
      if (source === name && derived.startsWith("job ")) this.#links.delete(key);
    this.#idle.push(...below);
    this.#seq += going.length - 1;
    if (going.length > 1) this.#ordered = false;
    this.#changes.push(...going.map((gone) => `delete ${gone}`));
  }

  #put(name: string, kind: Kind, id: string, record: object): void {
    const stored = record as ModelRecord["record"];
    this.#records.set(name, { kind, id, record: stored, bytes: bytesOf(kind, stored) });
  }

  #limited(kind: Kind, content: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { ttl } = this.#model.policy;
    if (ttl === undefined || !isAged(recordTables[kind], content)) return { ...content };
    const given = (content.expiresAt as number | undefined) ?? Number.POSITIVE_INFINITY;
    return { ...content, expiresAt: Math.min(given, this.#now + ttl) };
  }

  #link(derived: string, sources: readonly Source[]): void {
    for (const { kind, id, role = "source", start, end } of sources) {
      const link = { derived, source: nameOf({ kind, id }), role, start, end };
      // A link that was there before keeps its span.
      if (!this.#model.links.has(linkName(link))) this.#links.set(linkName(link), link);
      this.#needed.push(link.source);
    }
  }

  enqueue({ queue, payload, sources = [], delay = 0 }: NewJob, id: string): void {
    this.#seq += 1;
    this.#jobs.push({
      id,
      queue,
      payload,
      seq: this.#seq,
      readyAt: this.#now + delay,
      generation: this.#model.generation,
    });
    this.#link(`job ${id}`, sources);
  }

  finish(): Expected {
    for (const name of this.#needed) {
      const record = this.#records.get(name);
      if (record === undefined || this.#model.isGone(record, this.#now)) this.#reasons.add("erased");
    }
    this.#checkUnique();
    const model = this.#model;
    const [before, after] = [model.account(), model.account(this.#records)];
    const { maxRecords = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = model.policy;
    if (after.records > maxRecords && after.records > before.records) this.#reasons.add("quota_exceeded");
    if (after.bytes > maxBytes && after.bytes > before.bytes) this.#reasons.add("quota_exceeded");
    if (this.#reasons.size === 0) {
      model.records = this.#records;
      model.links = this.#links;
      for (const job of this.#jobs) model.jobs.set(job.id, job);
      for (const name of this.#idle)
        if (model.sourcesOf(name).length === 0) model.jobs.delete(refOf(name).id);
      model.seq = this.#seq;
      model.recordedAt = this.#recordedAt;
      model.exists = true;
      model.changes.push({ items: this.#changes, ordered: this.#ordered });
    }
    return { reasons: this.#reasons, ids: this.#ids, repaired: this.#repaired };
  }

  #checkUnique(): void {
    const keys = new Set<string>();
    for (const { kind, record } of this.#records.values()) {
      const columns = uniqueKeys[kind];
      if (columns === undefined) continue;
      const key = JSON.stringify([kind, ...columns.map((column) => record[column] ?? null)]);
      if (keys.has(key)) this.#reasons.add("already_exists");
      keys.add(key);
    }
  }
}

const uniqueKeys: Readonly<Record<string, readonly string[]>> = {
  block: ["agentId", "name"],
  value: ["agentId", "scope", "key"],
  conduit: ["fromId", "toId", "relation"],
};

/** The content as it is kept: without what is undefined (but in a patch), its text well-formed. */
function kept(value: object): {
  readonly content: Readonly<Record<string, unknown>>;
  readonly repaired: boolean;
} {
  let repaired = false;
  const repair = (item: unknown): unknown => {
    if (typeof item === "string") {
      const text = item.toWellFormed().replaceAll("\0", "\ufffd");
      if (text !== item) repaired = true;
      return text;
    }
    if (Array.isArray(item)) return item.map(repair);
    if (typeof item === "object" && item !== null)
      return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, repair(inner)]));
    return item;
  };
  return { content: repair(value) as Record<string, unknown>, repaired };
}
