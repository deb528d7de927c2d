import type { Partition } from "../../model/partition.ts";
import type { Ref, Stored } from "../../model/record.ts";
import type { PartitionPolicy } from "../ledger.ts";
import type { FindOptions } from "../read.ts";
import { type Kind, recordTables } from "../schema.ts";
import { indexOrder } from "../table.ts";
import { isCounted } from "./invariants.ts";
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

/**
 * A partition as the documentation describes it, in plain maps: what a ledger is compared with. What is done to it is in the files
 * beside, `commit-model.ts`, `erasure-model.ts` and `purge-model.ts`.
 */
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
