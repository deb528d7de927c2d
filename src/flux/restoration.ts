import { predicatesBeside } from "../facts/cardinality.ts";
import { excludes, isSame } from "../facts/timeline.ts";
import type { FactVersion } from "../model/fact.ts";
import type { NewJob } from "../model/job.ts";
import { groundRole, type Ref, type Source, type Stored } from "../model/record.ts";
import { repairText, utf8Length } from "../model/unicode.ts";
import { insert, type Mutation, patch } from "../store/batch.ts";
import type { Page } from "../store/read.ts";
import type { Kind, Kinds } from "../store/schema.ts";
import { type ExtractSource, extractionJobs } from "./extract-queue.ts";
import { MissingEntries } from "./index-queue.ts";
import {
  idOfLevel,
  idsOf,
  nameOf,
  type RestoreAside,
  type RestoredLinks,
  type RestoredOwner,
  type RestoredPiece,
  type RestoredPlain,
  type RestoreItem,
} from "./restore-item.ts";
import { readNames } from "./restore-reads.ts";
import { statementForm, statementKey } from "./statement.ts";
import { staysUntil } from "./store-plan.ts";

/** Lines by what became of them, and which records are there under other ids. */
export type RestoreResult = readonly [
  stored: number,
  there: number,
  expired: number,
  conflicts: number,
  renamed: readonly (readonly [name: string, id: string])[],
  /** As the batch was told, for one that does the same import again. */
  begun: number,
  exportedAt: number,
];

/** Bytes of ids that a result may have. What rests on the others is left out. */
const maxRenamed = 120_000;

/** Decides line by line what is restored, in the order of the lines. */
export class Restoration {
  readonly mutations: Mutation[] = [];
  readonly #aside: RestoreAside;
  readonly #rows: ReadonlyMap<string, unknown>;
  readonly #idOf: (ordinal: number) => string;
  readonly #renamed: ReadonlyMap<string, string>;
  /** Under which id each record of this commit is there; null for what was left out. */
  readonly #placed = new Map<string, string | null>();
  /** What this commit adds, by name. */
  readonly #added = new Map<string, object>();
  readonly #places = new Map<string, object>();
  readonly #newVersions = new Map<string, FactVersion[]>();
  readonly #counts = { stored: 0, there: 0, expired: 0, conflicts: 0 };
  readonly #renames: (readonly [string, string])[] = [];
  readonly #missing = new MissingEntries();
  readonly #unread: ExtractSource[] = [];
  #inserted = 0;

  constructor(aside: RestoreAside, rows: ReadonlyMap<string, unknown>, id: (ordinal: number) => string) {
    this.#aside = aside;
    this.#rows = rows;
    this.#idOf = id;
    this.#renamed = new Map(aside.renamed);
  }

  add(item: RestoreItem): void {
    if (item.type === "owner") this.#addOwner(item);
    else if (item.type === "plain") this.#addPlain(item);
    else this.#addLinks(item);
  }

  jobs(): NewJob[] {
    return [...this.#missing.jobs(), ...extractionJobs(this.#unread)];
  }

  result(): RestoreResult {
    const { stored, there, expired, conflicts } = this.#counts;
    const renames: (readonly [string, string])[] = [];
    let bytes = 0;
    for (const rename of this.#renames) {
      bytes += utf8Length(JSON.stringify(rename)) + 1;
      if (bytes > maxRenamed) break;
      renames.push(rename);
    }
    const { begun, exportedAt } = this.#aside;
    return [stored, there, expired, conflicts, renames, begun, exportedAt];
  }

  #addOwner(item: RestoredOwner): void {
    const { value } = item;
    if ((value.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#aside.now) {
      this.#leave(item, "expired");
      return;
    }
    const there = this.#find(item);
    if (there !== undefined) {
      if (saysTheSame(item.kind, this.#row(item.kind, there), value)) this.#keep(item, there);
      else this.#leave(item, "conflicts");
      return;
    }
    const same = this.#same(item);
    if (same !== undefined) {
      this.#keep(item, same);
      this.#renames.push([nameOf(item), same]);
      return;
    }
    const sources = this.#sourcesOf(item);
    if (sources === undefined || ("factId" in value && !this.#fits(value))) this.#leave(item, "conflicts");
    else this.#insertOwner(item, sources);
  }

  #keep(item: RestoredOwner, id: string): void {
    this.#counts.there += 1;
    this.#placed.set(nameOf(item), id);
  }

  #leave(item: Ref, why: "expired" | "conflicts"): void {
    this.#counts[why] += 1;
    this.#placed.set(nameOf(item), null);
  }

  #insertOwner(item: RestoredOwner, sources: readonly Source[]): void {
    const { kind, pieces, queues, units } = item;
    const value = this.#mapped(item, sources);
    const id = idOfLevel(item, this.#aside.level);
    this.#placed.set(nameOf(item), id);
    this.#counts.stored += 1;
    this.#insert(kind, value, { id, sources });
    if ("factId" in value) this.#versionsOf(value).push(value);
    const { sessionId, agentId } = value;
    if (queues.length > 0) this.#unread.push({ kind, id, units, sessionId, agentId, queues });
    for (const piece of pieces) this.#insertPiece(piece, { kind, id });
  }

  #insertPiece({ id, content, entries, missing }: RestoredPiece, owner: Ref): void {
    const wanted = id === undefined ? undefined : idOfLevel({ kind: "grain", id }, this.#aside.level);
    const free = wanted !== undefined && this.#row("grain", wanted) === undefined;
    const actual = free ? wanted : this.#idOf(this.#inserted);
    if (id !== undefined) this.#placed.set(nameOf({ kind: "grain", id }), actual);
    const { supersededBy, ...rest } = content;
    const by = supersededBy === undefined ? {} : { supersededBy: this.#grainId(supersededBy) };
    const value = { ...rest, ...by, ownerKind: owner.kind as RestoredOwner["kind"], ownerId: owner.id };
    this.#insert("grain", value, { ...(free ? { id: wanted } : {}), index: entries });
    this.#missing.add(actual, missing);
  }

  /** That of a grain which may come behind, under the id that it will have. */
  #grainId(id: string): string {
    return this.#find({ kind: "grain", id }) ?? idOfLevel({ kind: "grain", id }, this.#aside.level);
  }

  #insert<K extends Kind>(kind: K, value: Kinds[K], options: Parameters<typeof insert>[2] = {}): void {
    this.#added.set(nameOf({ kind, id: options.id ?? this.#idOf(this.#inserted) }), value);
    this.mutations.push(insert(kind, value, options) as Mutation);
    this.#inserted += 1;
  }

  #row<K extends Kind>(kind: K, id: string): Stored<Kinds[K]> | undefined {
    const name = nameOf({ kind, id });
    return (this.#rows.get(name) ?? this.#added.get(name)) as Stored<Kinds[K]> | undefined;
  }

  #page<K extends Kind>(name: string): readonly Stored<Kinds[K]>[] {
    return (this.#rows.get(name) as Page<Stored<Kinds[K]>> | undefined)?.items ?? [];
  }

  /** Of a page what was there before the import. */
  #before<K extends Kind>(name: string): readonly Stored<Kinds[K]>[] {
    return this.#page<K>(name).filter(({ seq }) => seq <= this.#aside.begun);
  }

  /** The id under which a record is there, or will be with this commit. */
  #find(ref: Ref): string | undefined {
    const placed = this.#placed.get(nameOf(ref));
    if (placed !== undefined) return placed ?? undefined;
    const ids = [...idsOf(ref, this.#aside), this.#renamed.get(nameOf(ref))];
    return ids.find((id) => id !== undefined && this.#row(ref.kind as Kind, id) !== undefined);
  }

  /** What says the same under another id, and was not brought by this export. */
  #same({ kind, value, nth }: RestoredOwner): string | undefined {
    if ("factId" in value)
      return this.#page<"fact">(readNames.thread(value.factId)).find((one) => isVersion(one, value))?.id;
    if ("form" in value) {
      const { contentKey, expiresAt } = value;
      if (contentKey === undefined) return undefined;
      const there = this.#before<"text">(readNames.key(contentKey));
      return there.find((text) => staysUntil(text, expiresAt))?.id;
    }
    const at = "saidAt" in value ? value.saidAt : value.occurredAt;
    const before = this.#before<"message" | "episode">(readNames.moment(kind, at)).filter(
      (one) =>
        one.recordedAt < this.#aside.exportedAt &&
        one.sessionId === value.sessionId &&
        one.agentId === value.agentId &&
        saysTheSame(kind, one, value),
    );
    return before[nth - 1]?.id;
  }

  /** What it rests on, as far as it is there; undefined when nothing that says it is left. */
  #sourcesOf({ sources }: RestoredOwner): readonly Source[] | undefined {
    const there = this.#there(sources);
    const isGround = ({ role = groundRole }: Source): boolean => role === groundRole;
    return sources.some(isGround) && !there.some(isGround) ? undefined : there;
  }

  #there(sources: readonly Source[]): readonly Source[] {
    return sources.flatMap((source) => {
      const id = this.#find(source);
      return id === undefined ? [] : [{ ...source, id }];
    });
  }

  /** With the ids under which what it names is there. */
  #mapped({ value }: RestoredOwner, sources: readonly Source[]): RestoredOwner["value"] {
    if ("factId" in value && value.evidence !== undefined) {
      const evidence = value.evidence.map((said) =>
        said.sources === undefined
          ? said
          : {
              ...said,
              sources: said.sources.map((source) => ({ ...source, id: this.#find(source) ?? source.id })),
            },
      );
      return { ...value, evidence };
    }
    const [source] = sources;
    if (!("form" in value) || value.form !== statementForm || source === undefined) return value;
    return { ...value, contentKey: statementKey(value.content, source) };
  }

  #versionsOf({ factId }: FactVersion): FactVersion[] {
    const known = this.#newVersions.get(factId);
    if (known !== undefined) return known;
    const versions: FactVersion[] = [...this.#page<"fact">(readNames.thread(factId))];
    this.#newVersions.set(factId, versions);
    return versions;
  }

  /** Whether a version goes behind those of its fact, and what it says together with what is known of its subject. */
  #fits(version: FactVersion): boolean {
    const versions = this.#versionsOf(version);
    const behind = versions.every(
      ({ status, recordedFrom }) => status !== "current" && recordedFrom <= version.recordedFrom,
    );
    if (!behind || version.status !== "current") return behind;
    const known = predicatesBeside(version.predicate)
      .flatMap((predicate) => this.#before<"fact">(readNames.subject({ ...version, predicate })))
      .filter(({ factId }) => factId !== version.factId);
    return !known.some((one) => overlap(one, version) && !goTogether(one, version));
  }

  #addPlain(item: RestoredPlain): void {
    const { kind } = item;
    const value = this.#withGrains(item);
    const id = this.#find(item);
    const there = id === undefined ? value && this.#place(kind, value) : this.#row(kind, id);
    if (value === undefined || (there !== undefined && !isPart(value, there))) this.#counts.conflicts += 1;
    else if (there !== undefined) this.#counts.there += 1;
    else {
      const own = idOfLevel(item, this.#aside.level);
      this.#placed.set(nameOf(item), own);
      this.#counts.stored += 1;
      this.#places.set(placeOf(kind, value), value);
      this.#insert(kind, value as Kinds[typeof kind], { id: own });
    }
  }

  /** What there can be one of: the block of the same name, the value of the same key, the edge between the same ends. */
  #place(kind: RestoredPlain["kind"], value: object): object | undefined {
    if (kind === "feedback") return undefined;
    const place = placeOf(kind, value);
    return this.#inPlace(kind, value).find((one) => placeOf(kind, one) === place) ?? this.#places.get(place);
  }

  #inPlace(kind: RestoredPlain["kind"], value: object): readonly object[] {
    if (kind === "block") return this.#page<"block">(readNames.block(value as Kinds["block"]));
    if (kind === "value") return this.#page<"value">(readNames.value(value as Kinds["value"]));
    return this.#page<"conduit">(readNames.edges((value as Kinds["conduit"]).fromId));
  }

  /** With the ids of the grains that it is about; undefined when one is not there. */
  #withGrains({ kind, value }: RestoredPlain): object | undefined {
    if (kind === "block" || kind === "value") return value;
    if (kind === "feedback") {
      const feedback = value as Kinds["feedback"];
      const grainId = this.#find({ kind: "grain", id: feedback.grainId });
      return grainId === undefined ? undefined : { ...feedback, grainId };
    }
    const conduit = value as Kinds["conduit"];
    const fromId = this.#find({ kind: "grain", id: conduit.fromId });
    const toId = this.#find({ kind: "grain", id: conduit.toId });
    return fromId === undefined || toId === undefined ? undefined : { ...conduit, fromId, toId };
  }

  #addLinks({ kind, id, sources }: RestoredLinks): void {
    const owner = this.#find({ kind, id });
    if (owner === undefined) return;
    const known = (this.#rows.get(readNames.links({ kind, id: owner })) ?? []) as readonly Source[];
    const missing = this.#there(sources).filter((source) => !known.some((one) => isLink(one, source)));
    if (missing.length > 0) this.mutations.push(patch(kind, owner, {}, { sources: missing }));
  }
}

const places = {
  block: ["agentId", "name"],
  value: ["agentId", "scope", "key"],
  conduit: ["fromId", "toId", "relation"],
  feedback: ["traceId", "grainId", "caller"],
} as const;

/** Names what there can be one of. */
function placeOf(kind: RestoredPlain["kind"], value: object): string {
  const columns = places[kind].map((name) => (value as Readonly<Record<string, unknown>>)[name] ?? null);
  return JSON.stringify([kind, ...columns]);
}

function isLink(a: Source, b: Source): boolean {
  return a.kind === b.kind && a.id === b.id && (a.role ?? groundRole) === (b.role ?? groundRole);
}

const said = {
  text: ["form", "content"],
  message: ["role", "name", "content"],
  episode: ["input", "output"],
  fact: ["factId", "subject", "predicate", "object", "affirmed", "recordedFrom"],
} as const;

/** Whether a record that is there says what another one says. */
function saysTheSame(
  kind: RestoredOwner["kind"],
  there: object | undefined,
  value: RestoredOwner["value"],
): boolean {
  return said[kind].every((name) => {
    const other = (value as Readonly<Record<string, unknown>>)[name];
    const one = (there as Readonly<Record<string, unknown>> | undefined)?.[name];
    return one === (typeof other === "string" ? repairText(other) : other);
  });
}

function isVersion(there: FactVersion, value: FactVersion): boolean {
  return (
    saysTheSame("fact", there, value) && there.status === value.status && there.retiredAt === value.retiredAt
  );
}

function overlap(a: FactVersion, b: FactVersion): boolean {
  const from = (one: FactVersion): number => one.validFrom?.at ?? Number.NEGATIVE_INFINITY;
  const until = (one: FactVersion): number => one.validUntil?.at ?? Number.POSITIVE_INFINITY;
  return from(a) < until(b) && from(b) < until(a);
}

/** Whether two facts of one subject can both hold, and are not the same twice. */
function goTogether(there: FactVersion, value: FactVersion): boolean {
  const cardinality = value.evidence?.find((said) => said.cardinality !== undefined)?.cardinality;
  return !isSame(there, value) && !excludes({ ...value, evidence: { cardinality } }, there);
}

/** Whether a record that is there has what another one has. */
function isPart(value: object, there: object | undefined): boolean {
  return Object.entries(value).every(
    ([name, item]) =>
      JSON.stringify((there as Readonly<Record<string, unknown>> | undefined)?.[name]) ===
      JSON.stringify(item),
  );
}
