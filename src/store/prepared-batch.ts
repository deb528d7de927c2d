import { FluxError } from "../model/errors.ts";
import { checkId, derivedId } from "../model/ids.ts";
import { type NewJob, newJobSchema } from "../model/job.ts";
import { canonicalJson, type Json, repairJson } from "../model/json.ts";
import { checkNames } from "../model/options.ts";
import { groundRole, type Ref, type Source } from "../model/record.ts";
import { type Mutation, type Patch, type Remove, removableKinds } from "./batch.ts";
import { followersName, linksName, markerName, markersName, rowName, spacesName } from "./batch-reads.ts";
import { checkObject, checkRef } from "./checks.ts";
import type { RowRead } from "./driver.ts";
import { followerReads } from "./followers.ts";
import { checkEntries } from "./index-entries.ts";
import { mutationNames, names } from "./option-names.ts";
import { type Content, check, checkContent } from "./records.ts";
import type { IndexEntry } from "./search.ts";
import { systemTables } from "./system-tables.ts";
import type { RecordTable, Row } from "./table.ts";
import { tableOf } from "./translate.ts";

/** A checked batch of mutations and jobs, with all that must be read before it can be written. */
export interface PreparedBatch {
  readonly mutations: readonly PreparedMutation[];
  readonly jobs: readonly PreparedJob[];
  readonly reads: readonly RowRead[];
  /** Every record that has to be there for the batch to make sense. */
  readonly references: readonly Ref[];
  /** Where in `reads` a named read is. */
  readonly places: ReadonlyMap<string, number>;
  /** The spaces that the index entries were made for. */
  readonly spaces: readonly number[];
}

type PreparedMutation = PreparedInsert | PreparedChange;

export interface PreparedInsert {
  readonly type: "insert";
  readonly table: RecordTable;
  readonly id: string;
  readonly given: boolean;
  readonly content: Content;
  readonly links: readonly Row[];
  readonly follows: readonly Ref[];
  readonly index: readonly IndexEntry[];
}

export interface PreparedChange {
  readonly type: "patch" | "remove";
  readonly table: RecordTable;
  readonly id: string;
  readonly value: unknown;
  readonly links: readonly Row[];
  /** Records that are no sources of it any more. */
  readonly dropped: readonly Ref[];
  /** What the index is to hold of a grain from now on; undefined to leave it as it is. */
  readonly index: readonly IndexEntry[] | undefined;
}

export interface PreparedJob {
  readonly id: string;
  readonly row: Row;
  readonly delay: number;
  readonly links: readonly Row[];
}

const defaultMaxAttempts = 8;

/**
 * Checks mutations and jobs, copies what they hold, and gives ids: those of the operation with this key, unless given.
 */
export function prepareBatch(
  key: string,
  mutations: readonly Mutation[],
  jobs: readonly NewJob[],
  spaces?: readonly number[],
): PreparedBatch {
  const reads: RowRead[] = [];
  const places = new Map<string, number>();
  const want = (name: string, read: RowRead): void => {
    if (places.has(name)) return;
    places.set(name, reads.length);
    reads.push(read);
  };
  const wantRecord = (table: RecordTable, id: string): void =>
    want(rowName(table.name, id), { type: "get", table, key: [id] });

  const inserted = new Set<string>();
  let ordinal = 0;
  const prepared = list(mutations, "mutations").map((mutation): PreparedMutation => {
    const table = tableOf(mutation?.kind);
    const known = mutationNames[mutation.type];
    if (known !== undefined) checkNames(mutation, "A mutation", known);
    if (mutation.type !== "insert") return prepareChange(table, mutation, spaces);
    const derived = derivedId(key, ordinal++);
    const id = mutation.id === undefined ? derived : checkId(mutation.id, `${table.name}.id`);
    inserted.add(rowName(table.name, id));
    const content = checkContent(table, mutation.value);
    const links = prepareLinks({ kind: table.name, id }, mutation.sources);
    return {
      type: "insert",
      table,
      id,
      given: id !== derived,
      content,
      links,
      follows: followed(table, content.row),
      index: prepareIndex(table, mutation.index, spaces) ?? [],
    };
  });
  const preparedJobs = list(jobs, "jobs").map((job, i) => prepareJob(derivedId(key, i), job));

  for (const mutation of prepared) {
    const { table, id } = mutation;
    const { link, marker } = systemTables;
    if (mutation.type === "insert") {
      if (mutation.given) {
        wantRecord(table, id);
        want(markerName(table, id), { type: "get", table: marker, key: [table.name, id] });
      } else if (table.marked) {
        // Ids of this operation are new, since it has no receipt yet; but someone may have foreseen and erased them.
        want(markersName(table), {
          type: "find",
          table: marker,
          index: "byId",
          prefix: [table.name],
          range: { gte: `${key}-`, lt: `${key}.` },
        });
      }
    } else {
      wantRecord(table, id);
      if (mutation.type === "remove" || mutation.links.length > 0 || mutation.dropped.length > 0) {
        want(linksName("byId", table, id), {
          type: "find",
          table: link,
          index: "byId",
          prefix: [table.name, id],
        });
      }
      if (mutation.type === "remove") {
        const prefix = [table.name, id];
        want(linksName("bySource", table, id), { type: "find", table: link, index: "bySource", prefix });
        followerReads(table, id).forEach((read, i) => {
          want(followersName(table, id, i), read);
        });
      }
    }
  }
  const references = referencesOf(prepared, preparedJobs);
  for (const { kind, id } of references) {
    if (inserted.has(rowName(kind, id))) continue;
    const table = tableOf(kind);
    // One that this batch changes as well was asked for whole already.
    const columns = table.expires ? presenceUntil : presence;
    want(rowName(kind, id), { type: "get", table, key: [id], columns });
  }
  if (prepared.some(({ type, index }) => index !== undefined && (type !== "insert" || index.length > 0)))
    want(spacesName, { type: "spaces" });
  return { mutations: prepared, jobs: preparedJobs, references, reads, places, spaces: spaces ?? [] };
}

// Whether a record is there, and for how long.
const presence = ["id"];
const presenceUntil = ["id", "expiresAt"];

function prepareIndex(
  table: RecordTable,
  entries: readonly IndexEntry[] | undefined,
  spaces: readonly number[] | undefined,
): readonly IndexEntry[] | undefined {
  if (entries === undefined) return undefined;
  if (table.name !== "grain") throw new FluxError("invalid_argument", `A ${table.name} has no index entries`);
  return checkEntries(entries, spaces);
}

function prepareChange(
  table: RecordTable,
  mutation: Patch | Remove,
  spaces: readonly number[] | undefined,
): PreparedChange {
  if (mutation.type !== "patch" && mutation.type !== "remove") {
    throw new FluxError("invalid_argument", "There is no such mutation", {
      hint: "Make mutations with insert, patch and remove.",
    });
  }
  const id = checkId(mutation.id, `${table.name}.id`);
  if (mutation.type === "patch") {
    const links = prepareLinks({ kind: table.name, id }, mutation.sources);
    const index = prepareIndex(table, mutation.index, spaces);
    const dropped = list(mutation.dropped ?? [], "dropped").map(checkRef);
    return { type: "patch", table, id, value: mutation.value, links, dropped, index };
  }
  if (!(removableKinds as readonly string[]).includes(table.name)) {
    throw new FluxError(
      "invalid_argument",
      `A ${table.name} cannot be removed, since others may follow from it`,
      {
        hint: "Erase it.",
      },
    );
  }
  return { type: "remove", table, id, value: undefined, links: [], dropped: [], index: undefined };
}

function prepareJob(id: string, job: NewJob): PreparedJob {
  const {
    queue,
    payload,
    sources,
    delay = 0,
    maxAttempts = defaultMaxAttempts,
  } = check(newJobSchema, checkObject(job, "job", names.job), "job");
  return {
    id,
    delay,
    links: prepareLinks({ kind: systemTables.job.name, id }, sources),
    row: {
      id,
      queue,
      payload: payload === undefined ? undefined : canonicalJson(repairJson(payload as Json)),
      dead: false,
      attempts: 0,
      maxAttempts,
    },
  };
}

function prepareLinks(derived: Ref, sources: readonly Source[] = []): readonly Row[] {
  return list(sources, "sources").map((source) => {
    const table = tableOf(source?.kind);
    checkNames(source, "A source", names.source);
    const id = checkId(source.id, "source.id");
    if (!table.marked) {
      throw new FluxError("invalid_argument", `A ${table.name} cannot be the source of anything`);
    }
    if (derived.kind === table.name && derived.id === id) {
      throw new FluxError("invalid_argument", `A ${table.name} cannot be its own source`);
    }
    const { role = groundRole, start, end } = source;
    for (const offset of [start, end]) {
      if (offset !== undefined && !(Number.isSafeInteger(offset) && offset >= 0)) {
        throw new FluxError("invalid_argument", "source.start and source.end must be whole numbers from 0");
      }
    }
    return {
      derivedKind: derived.kind,
      derivedId: derived.id,
      sourceKind: table.name,
      sourceId: id,
      role: checkId(role, "source.role"),
      start: withoutMinus(start),
      end: withoutMinus(end),
    };
  });
}

/** Stores differ in whether they keep the sign of a zero. */
function withoutMinus(offset: number | undefined): number | undefined {
  return offset === 0 ? 0 : offset;
}

/** The records that a record goes with. */
function followed(table: RecordTable, row: Row): readonly Ref[] {
  return table.follows.map(({ index, kind }) => {
    const columns = table.indexes[index]?.columns ?? [];
    const [first = "", second = ""] = columns;
    return kind === undefined
      ? { kind: row[first] as string, id: row[second] as string }
      : { kind, id: row[first] as string };
  });
}

function referencesOf(mutations: readonly PreparedMutation[], jobs: readonly PreparedJob[]): readonly Ref[] {
  const references: Ref[] = [];
  for (const { links } of [...mutations, ...jobs])
    for (const { sourceKind, sourceId } of links)
      references.push({ kind: sourceKind as string, id: sourceId as string });
  for (const mutation of mutations) if (mutation.type === "insert") references.push(...mutation.follows);
  return references;
}

function list<T>(items: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(items)) throw new FluxError("invalid_argument", `${name} must be a list`);
  // The holes of a sparse array become undefined, which is refused like any other.
  return Array.from(items);
}
