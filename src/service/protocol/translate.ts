/**
 * The names of the wire: REST bodies are in snake_case, and a few properties have names of their own. Both ends of the
 * connection translate here, and nowhere else.
 */
import type { FluxRecallResult } from "../../flux/flux.ts";
import type { FluxRecallOptions, PendingFeedback } from "../../flux/flux-memory.ts";
import type { MemoryRecord, RecordPage } from "../../flux/memory-record.ts";
import { isEpisode, type StoreItem, type StoreResult } from "../../flux/store-items.ts";
import type { FluxError } from "../../model/errors.ts";
import type { RecallHit } from "../../recall/result.ts";
import type { WireQuery } from "../wire/retrieve.ts";
import type { WireItem } from "../wire/store.ts";

type SnakeCase<S extends string> = S extends `${infer Head}${infer Rest}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Rest>}`
    : `_${Lowercase<Head>}${SnakeCase<Rest>}`
  : S;

type CamelCase<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : S;

/** Properties that hold data of the user, or have names that are data: what is in them stays as it is. */
const opaqueNames = ["metadata", "filter", "toolCalls", "transcript", "counts", "config"] as const;
type OpaqueName = (typeof opaqueNames)[number];

/** A type of the SDK as the wire has it. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { -readonly [K in keyof T as SnakeCase<K & string>]: K extends OpaqueName ? T[K] : Wire<T[K]> }
    : T;

/** A type of the wire as the SDK has it. */
export type Sdk<T> = T extends readonly (infer Item)[]
  ? Sdk<Item>[]
  : T extends object
    ? { [K in keyof T as CamelCase<K & string>]: K extends SnakeCase<OpaqueName> ? T[K] : Sdk<T[K]> }
    : T;

export function toWire<T>(value: T): Wire<T> {
  return renamed(value, snakeCase) as Wire<T>;
}

export function fromWire<T>(value: T): Sdk<T> {
  return renamed(value, camelCase) as Sdk<T>;
}

const opaque: ReadonlySet<string> = new Set([...opaqueNames, ...opaqueNames.map(snakeCase)]);

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      rename(name),
      opaque.has(name) ? item : renamed(item, rename),
    ]),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A record: its text is called `content`. */
export type WireRecord = Wire<Omit<MemoryRecord, "text">> & { content: string };

export function recordToWire({ id, kind, text, ...record }: MemoryRecord): WireRecord {
  return { id, kind, content: text, ...toWire(record) };
}

export function recordFromWire({ content, ...record }: WireRecord): MemoryRecord {
  return { ...fromWire(record), text: content };
}

/** A page of records, which are called grains as the paths are. */
export interface WirePage {
  grains: WireRecord[];
  cursor?: string | undefined;
}

export function pageToWire({ items, cursor }: RecordPage): WirePage {
  return { grains: items.map(recordToWire), ...(cursor === undefined ? {} : { cursor }) };
}

export function pageFromWire({ grains, cursor }: WirePage): RecordPage {
  return { items: grains.map(recordFromWire), ...(cursor === undefined ? {} : { cursor }) };
}

/** A hit, with the record that says it beside it. */
export type WireHit = Wire<Omit<RecallHit, "text" | "owner">> & {
  content: string;
  record_id: string;
  kind: RecallHit["owner"]["kind"];
};

function hitToWire({ id, text, owner, ...hit }: RecallHit): WireHit {
  return { id, record_id: owner.id, kind: owner.kind, content: text, ...toWire(hit) };
}

function hitFromWire({ content, record_id, kind, ...hit }: WireHit): RecallHit {
  return {
    ...fromWire(hit),
    text: content,
    owner: { kind, id: record_id },
  };
}

/** What is asked, but for what stays in its process. */
type Asked = Omit<FluxRecallOptions, "signal" | "tokenCounter">;

export function queryToWire(query: string, { k, where = {}, ...options }: Asked): WireQuery {
  const { ownerKinds, ...conditions } = where;
  return { query, limit: k, kinds: ownerKinds, ...toWire(conditions), ...toWire(options) } as WireQuery;
}

export function askedFromWire(request: Omit<WireQuery, "query">): Asked {
  const { limit, kinds, min_score, max_tokens, alpha, by_score, asked_at, zone, ...conditions } = request;
  return {
    ...(limit === undefined ? {} : { k: limit }),
    ...fromWire({ min_score, max_tokens, alpha, by_score, asked_at, zone }),
    where: { ...fromWire(conditions), ownerKinds: kinds },
  };
}

/** What a recall found. `degraded` is always there. */
export type WireRecall = Wire<Omit<FluxRecallResult, "hits" | "degraded">> & {
  grains: WireHit[];
  degraded: Wire<NonNullable<FluxRecallResult["degraded"]>>;
};

export function recallToWire({ traceId, hits, degraded = [], ...result }: FluxRecallResult): WireRecall {
  return {
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    grains: hits.map(hitToWire),
    degraded: toWire(degraded),
    ...toWire(result),
  };
}

export function recallFromWire({ grains, degraded, ...result }: WireRecall): FluxRecallResult {
  return {
    ...fromWire(result),
    hits: grains.map(hitFromWire),
    ...(degraded.length === 0 ? {} : { degraded: fromWire(degraded) }),
  };
}

/** A text, a message or an episode: the wire has one set of names for them. */
export function itemToWire(item: StoreItem): WireItem {
  if ("role" in item) {
    const { name, ...message } = item;
    return { author: name, ...toWire(message) } as WireItem;
  }
  if (isEpisode(item)) {
    const { occurredAt, ...episode } = item;
    return { said_at: occurredAt, ...toWire(episode) } as WireItem;
  }
  const { text, statedAt, ...options } = item;
  return { content: text, said_at: statedAt, ...toWire(options) } as WireItem;
}

/** One that its schema found to be of one kind. */
export function itemFromWire({
  content = "",
  role,
  author,
  said_at: saidAt,
  ...options
}: WireItem): StoreItem {
  const { provenance, toolCalls, toolCallId, input, output, transcript, id, ...item } = fromWire(options);
  if (input !== undefined && output !== undefined)
    return { ...item, id, input, output, transcript, occurredAt: saidAt };
  if (role !== undefined) return { ...item, role, content, name: author, saidAt, toolCalls, toolCallId };
  return { ...item, text: content, author, statedAt: saidAt, provenance };
}

/** What became of an item. `grain_id` is the first of its grains. */
export type WireStored = Wire<Omit<StoreResult, "id">> & { record_id: string; grain_id?: string | undefined };

export function storedToWire({ id, ...result }: StoreResult): WireStored {
  const [first] = result.grainIds;
  return { ...(first === undefined ? {} : { grain_id: first }), record_id: id, ...toWire(result) };
}

export function storedFromWire({ record_id, grain_id: _, ...result }: WireStored): StoreResult {
  return { id: record_id, ...fromWire(result) };
}

export interface WirePending {
  pending_traces: Wire<PendingFeedback>[];
}

/** What went wrong, where it is no problem of HTTP. The code is one of the package, or one of the program that tells it. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export function errorToWire(error: FluxError): WireError {
  const { name: _, details, ...told } = error.toJSON();
  return details === undefined ? told : { ...told, details: toWire(details) };
}
