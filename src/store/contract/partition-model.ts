import type { ErrorCode } from "../../model/errors.ts";
import { recordId } from "../../model/ids.ts";
import type { NewJob } from "../../model/job.ts";
import type { Partition } from "../../model/partition.ts";
import type { Ref, Source, Stored } from "../../model/record.ts";
import type { Insert, Patch, Remove } from "../batch.ts";
import type { PartitionPolicy } from "../ledger.ts";
import type { FindOptions } from "../read.ts";
import { type Kind, recordTables } from "../schema.ts";
import { indexOrder } from "../table.ts";
import { bytesOf, isCounted } from "./invariants.ts";
import { holds } from "./random-filter.ts";

export interface ModelRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly record: Stored<Readonly<Record<string, unknown>>>;
  readonly bytes: number;
}

export interface ModelLink {
  readonly derived: string;
  readonly source: string;
  readonly role: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

export interface ModelJob {
  readonly id: string;
  readonly queue: string;
  readonly payload: unknown;
  readonly seq: number;
  readyAt: number;
  lease?: string;
  generation: number;
}

/** What a purge that is open hides. */
export interface ModelPurge {
  readonly until: number;
  /** Records that it was given. */
  readonly named: ReadonlySet<string>;
  readonly records: Set<string>;
  readonly jobs: ModelJob[];
}

/** Changes that came together: in this order, or in any. */
export interface ModelChanges {
  readonly items: readonly string[];
  readonly ordered: boolean;
}

export type ModelMutation = Insert | Patch | Remove;

/** What a commit should do: fail for one of the reasons, or give these ids. */
export interface Expected {
  readonly reasons: ReadonlySet<ErrorCode>;
  readonly ids: readonly string[];
  readonly repaired: readonly string[];
}

/** What a record goes with. */
export function followed(kind: Kind, record: Readonly<Record<string, unknown>>): readonly string[] {
  switch (kind) {
    case "grain":
      return [`${record.ownerKind} ${record.ownerId}`];
    case "conduit":
      return [`grain ${record.fromId}`, `grain ${record.toId}`];
    case "feedback":
      return [`grain ${record.grainId}`];
    default:
      return [];
  }
}

export function nameOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`;
}

export function refOf(name: string): Ref {
  const space = name.indexOf(" ");
  return { kind: name.slice(0, space), id: name.slice(space + 1) };
}

/** A partition as the documentation describes it, in plain maps: what a ledger is compared with. */
export class PartitionModel {
  readonly partition: Partition;
  records = new Map<string, ModelRecord>();
  links = new Map<string, ModelLink>();
  jobs = new Map<string, ModelJob>();
  markers = new Set<string>();
  /** Those that are open, by their ids. */
  purges = new Map<string, ModelPurge>();
  policy: PartitionPolicy = {};
  seq = 0;
  recordedAt = 0;
  generation = 0;
  /** Whether anything was ever committed. */
  exists = false;
  /** What the change feed has to tell and was not asked for yet. */
  changes: ModelChanges[] = [];

  constructor(partition: Partition) {
    this.partition = partition;
  }

  isExpired({ record }: ModelRecord, now: number): boolean {
    return typeof record.expiresAt === "number" && record.expiresAt <= now;
  }

  isHidden(name: string): boolean {
    return [...this.purges.values()].some(({ records }) => records.has(name));
  }

  /** Whether nobody sees it any more. */
  isGone(record: ModelRecord, now: number): boolean {
    return this.isExpired(record, now) || this.isHidden(nameOf(record));
  }

  visible(now: number): ModelRecord[] {
    return [...this.records.values()].filter((record) => !this.isGone(record, now));
  }

  /** How many records count in the partition's account, and their bytes. */
  account(records = this.records): { readonly records: number; readonly bytes: number } {
    const counted = [...records.values()].filter(({ kind }) => isCounted(kind));
    return { records: counted.length, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** How many grains have each status, but for those that purges hide. */
  grains(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = { active: 0, dormant: 0, quarantined: 0, archived: 0 };
    for (const [name, { kind, record }] of this.records) {
      if (kind !== "grain" || this.isHidden(name)) continue;
      const status = record.status as string;
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  /** Decides what a batch does, and does it when there is no reason against it. */
  commit(
    operation: string,
    mutations: readonly ModelMutation[],
    jobs: readonly NewJob[],
    now: number,
  ): Expected {
    const draft = new Draft(this, operation, now);
    for (const mutation of mutations) draft.mutate(mutation);
    for (const [i, job] of jobs.entries()) draft.enqueue(job, recordId(this.partition, operation, i));
    return draft.finish();
  }

  sourcesOf(name: string): ModelLink[] {
    return [...this.links.values()].filter(({ derived }) => derived === name);
  }

  derivedFrom(name: string): ModelLink[] {
    return [...this.links.values()].filter(({ source }) => source === name);
  }

  /** What a find along an index comes upon, all pages together. */
  find(kind: Kind, options: FindOptions, now: number): Stored<unknown>[] {
    const { index = "byId", prefix = [], range = {}, reverse = false, filter } = options;
    const order = indexOrder(recordTables[kind], index);
    const bounded = order[prefix.length] as string;
    const column = (record: ModelRecord, name: string): unknown =>
      // Absence of a label is before every id.
      name in record.record ? record.record[name] : "";
    const found = this.visible(now).filter(
      (record) =>
        record.kind === kind &&
        prefix.every((value, i) => column(record, order[i] as string) === (value ?? "")) &&
        Object.entries(range).every(([bound, limit]) => {
          const sign = compare(column(record, bounded), limit);
          return bound === "gt"
            ? sign > 0
            : bound === "gte"
              ? sign >= 0
              : bound === "lt"
                ? sign < 0
                : sign <= 0;
        }) &&
        (filter === undefined || holds(filter, (record.record.metadata ?? {}) as never)),
    );
    found.sort((a, b) => {
      for (const name of order) {
        const sign = compare(column(a, name), column(b, name));
        if (sign !== 0) return sign;
      }
      return 0;
    });
    const records = found.map(({ record }) => record);
    return reverse ? records.reverse() : records;
  }
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

export function linkName({ derived, source, role }: ModelLink): string {
  return JSON.stringify([derived, source, role]);
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
    if (ttl === undefined || !recordTables[kind].aged) return { ...content };
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
