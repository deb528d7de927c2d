import { Aliases, isNaming, namingPredicates } from "../facts/aliases.ts";
import { canonicalKey } from "../facts/canonical.ts";
import { cardinalityOf, predicatesBeside } from "../facts/cardinality.ts";
import type { ClaimChange } from "../facts/claim.ts";
import type { Version } from "../facts/judge.ts";
import type { Evidence } from "../model/fact.ts";
import type { Ref, Stored } from "../model/record.ts";
import { find, get, type Page, type ReadOp } from "../store/read.ts";
import type { Kind } from "../store/schema.ts";
import type { IndexEntry } from "../store/search.ts";

/** A record that a claim rests on. */
export interface ClaimSource {
  readonly kind: string;
  readonly id: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** What it said there when it was read. Absent where that makes no difference. */
  readonly said?: string | undefined;
}

/** A claim that was checked, with all that is known of it before the transaction. */
export interface PreparedClaim {
  readonly subject: string;
  /** In its canonical form. */
  readonly predicate: string;
  readonly object?: string | undefined;
  readonly affirmed: boolean;
  readonly change: ClaimChange;
  readonly evidence: Omit<Evidence, "sources" | "sessionId" | "agentId">;
  readonly sources: readonly ClaimSource[];
  readonly factId?: string | undefined;
  readonly reason?: string | undefined;
  /** The keys of all names that the subject has, the first for what it stands for. */
  readonly keys: readonly string[];
}

/** What a commit of claims is told besides its input. */
export interface FactAside {
  readonly claims: readonly PreparedClaim[];
  /** Of claims without a source. */
  readonly labels: { readonly sessionId?: string | undefined; readonly agentId?: string | undefined };
  /** Versions that must still be current. */
  readonly expected: readonly string[];
  /**
   * Records that say one of the versions together with others: while one of them is hidden, the version is not. What only one record
   * says is hidden with it.
   */
  readonly shared: readonly Ref[];
  readonly spaces: readonly number[];
  /** By `entryKey`: what the index is to hold of the texts of facts. */
  readonly entries: ReadonlyMap<string, PreparedEntries>;
}

export interface PreparedEntries {
  readonly entries: readonly IndexEntry[];
  /** Spaces whose entry is to be made by a job. */
  readonly missing: readonly number[];
}

/** Reads by their names, in the order in which they are made. */
export type NamedReads = ReadonlyMap<string, ReadOp>;

/** Names of the same that are followed at most. */
const maxNames = 16;
/** Versions of one subject and predicate that are judged together at most, those that were recorded last; and names that are known. */
const maxVersions = 1000;
/** Retired versions that are looked at, to know what was said before. */
const maxRetired = 16;

/** The reads by which names are known. */
export function aliasReads(): NamedReads {
  return new Map(
    namingPredicates.map((predicate) => [
      `alias ${predicate}`,
      find("fact", { index: "byPredicate", prefix: ["current", predicate], limit: maxVersions }),
    ]),
  );
}

/** What names stand for, by what is stored and by the claims themselves. */
export class SubjectKeys {
  readonly #aliases: Aliases;
  /** By what they stand for. */
  readonly #names: ReadonlyMap<string, readonly string[]>;

  constructor(rows: ReadonlyMap<string, unknown>, claims: readonly Omit<PreparedClaim, "keys">[]) {
    const stored = namingPredicates
      .flatMap((predicate) => (rows.get(`alias ${predicate}`) as Page<Version>).items)
      .toSorted((a, b) => a.seq - b.seq);
    const told = claims.flatMap(({ subject, predicate, object, affirmed, change }) =>
      isNaming({ predicate, affirmed }) &&
      object !== undefined &&
      (change === "assert" || change === "correct")
        ? [{ subject, predicate, object, affirmed }]
        : [],
    );
    const naming = [...stored, ...told];
    this.#aliases = new Aliases(naming);
    const names = naming.flatMap(({ subject, object }) => [canonicalKey(subject), canonicalKey(object)]);
    this.#names = Map.groupBy(names, (name) => this.keyOf(name));
  }

  keyOf(subject: string): string {
    return this.#aliases.keyOf(subject);
  }

  /** The keys of all names of a subject, that of what it stands for first. */
  keysOf(subject: string): readonly string[] {
    const root = this.keyOf(subject);
    const others = this.#names.get(root) ?? [];
    return [...new Set([root, ...others.toSorted()])].slice(0, maxNames);
  }
}

/** The first reads of a commit of claims. */
export function firstReads({ claims, expected, shared }: FactAside): NamedReads {
  const reads = new Map<string, ReadOp>(aliasReads());
  for (const claim of claims) {
    for (const { kind, id } of claim.sources) reads.set(recordName(kind, id), get(kind as Kind, id));
    for (const read of versionReads(claim)) reads.set(JSON.stringify(read), read);
  }
  for (const { kind, id } of shared) reads.set(recordName(kind, id), get(kind as Kind, id));
  for (const id of expected) reads.set(`expected ${id}`, get("fact", id));
  return reads;
}

/** The records that say versions which several say. */
export function sharedAmong(versions: readonly Version[]): readonly Ref[] {
  const found = new Map<string, Ref>();
  for (const { evidence = [] } of versions) {
    if (evidence.length < 2) continue;
    for (const { sources = [] } of evidence)
      for (const { kind, id } of sources) found.set(recordName(kind, id), { kind, id });
  }
  return [...found.values()];
}

export function recordName(kind: string, id: string): string {
  return `record ${kind} ${id}`;
}

/** The reads of what a claim is judged by. */
function versionReads({ keys, predicate, object, factId, evidence }: PreparedClaim): readonly ReadOp[] {
  const whole =
    object === undefined || factId !== undefined || cardinalityOf(predicate, evidence.cardinality) === "one";
  const only = object === undefined ? [] : [canonicalKey(object)];
  // The one that is meant need not be among those that were recorded last.
  const meant =
    factId === undefined
      ? []
      : [find("fact", { index: "byFact", prefix: [factId], reverse: true, limit: 1 })];
  const around = keys.flatMap((key) =>
    predicatesBeside(predicate).flatMap((beside): ReadOp[] => {
      return [
        ...topicReads(key, beside, whole ? undefined : only[0]),
        ...(object === undefined
          ? []
          : [
              find("fact", {
                ...{ index: "bySubject", prefix: ["retired", key, beside, ...only] },
                ...{ reverse: true, limit: maxRetired },
              }),
            ]),
      ];
    }),
  );
  return [...meant, ...around];
}

/** The reads of versions that are current or contested, of one object or of any: then of those that were recorded last. */
export function topicReads(subject: string, predicate: string, object?: string): readonly ReadOp[] {
  return ["current", "contested"].map((status) => {
    const prefix = [status, subject, predicate];
    const found =
      object === undefined
        ? { index: "bySubjectPredicate", prefix, reverse: true }
        : { index: "bySubject", prefix: [...prefix, object] };
    return find("fact", { ...found, limit: maxVersions });
  });
}

/** The rows of reads by their names. */
export function namedRows(reads: NamedReads, rows: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map([...reads.keys()].map((name, i) => [name, rows[i]]));
}

/** The versions among rows, each once, in the order of their places. */
export function versionsAmong(rows: ReadonlyMap<string, unknown>): readonly Version[] {
  const found = new Map<string, Version>();
  for (const [name, row] of rows)
    if (name.startsWith("{"))
      for (const version of (row as Page<Version>).items) found.set(version.id, version);
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** A record that is there. */
export function recordAmong(
  rows: ReadonlyMap<string, unknown>,
  { kind, id }: Pick<ClaimSource, "kind" | "id">,
): Stored<SourceRecord> | undefined {
  return rows.get(recordName(kind, id)) as Stored<SourceRecord> | undefined;
}

/** What records have that facts rest on. */
export interface SourceRecord {
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly expiresAt?: number | undefined;
}
