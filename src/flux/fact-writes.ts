import { type Changes, type FactContent, type Placed, statusOf } from "../facts/changes.ts";
import type { Version } from "../facts/judge.ts";
import { evidenceLeft, timesSaid } from "../facts/saying.ts";
import type { Interval } from "../facts/timeline.ts";
import { supersededRole } from "../facts/to-fact.ts";
import type { Evidence, FactVersion, Retirement } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import type { NewJob } from "../model/job.ts";
import { groundRole, type Source, type Stored } from "../model/record.ts";
import { ownerText } from "../recall/owner-text.ts";
import { insert, type Mutation, patch, remove } from "../store/batch.ts";
import { find, get, type Page, type ReadOp, sourcesOf } from "../store/read.ts";
import type { Kind } from "../store/schema.ts";
import { defined } from "./draft.ts";
import { factGrain } from "./fact-grain.ts";
import { type FactAside, type NamedReads, recordAmong, recordName } from "./fact-reads.ts";
import { MissingEntries } from "./index-queue.ts";

/** Roles of what had a part in a version, besides what says it. */
const contradictsRole = "contradicts";
export const supportsRole = "supports";
const causedRole = "caused_by";

/** What is indexed of a version of a fact that is believed. */
export interface FactGrain {
  readonly text: string;
  readonly grain: Grain;
}

/** Names the index entries of a text: its terms have the day on which it was said. */
export function entryKey({ text, grain }: FactGrain): string {
  return `${grain.saidAt} ${text}`;
}

/** The reads of what changes touch: grains of versions that are retired, and what new ones rest on. */
export function changeReads({ placed, retired, contested }: Changes, known: readonly Version[]): NamedReads {
  const reads = new Map<string, ReadOp>();
  for (const { version } of retired)
    if (version.status === "current")
      reads.set(
        `grains ${version.id}`,
        find("grain", { index: "byOwner", prefix: ["fact", version.id], limit: 100 }),
      );
  const versions = new Map(known.map((version) => [version.id, version]));
  const sayings = [
    ...placed.flatMap(({ kept: before, interval }) => (before === undefined ? interval.sayings : [])),
    ...contested.map(({ lost }) => lost.saying),
  ];
  for (const { version: id, evidence } of sayings) {
    if (id === undefined) continue;
    if (versions.get(id)?.evidence === undefined) reads.set(`sources ${id}`, sourcesOf("fact", id));
    for (const source of evidence.sources ?? [])
      reads.set(recordName(source.kind, source.id), get(source.kind as Kind, source.id));
  }
  return reads;
}

export interface FactWrites {
  /** The inserts in the order of the ordinals that they took. */
  readonly mutations: readonly Mutation[];
  readonly jobs: readonly NewJob[];
  readonly grains: readonly FactGrain[];
  /** Id of the version that says what an interval says. */
  versionOf(interval: Interval): { readonly id: string; readonly factId: string } | undefined;
}

/**
 * The mutations of changes.
 *
 * @param rows of all reads
 * @param more.now record time
 * @param more.id of the insert with that ordinal, see `PlanContext.id`
 */
export function factWrites(
  changes: Changes,
  rows: ReadonlyMap<string, unknown>,
  {
    aside,
    now,
    id,
  }: {
    readonly aside: Pick<FactAside, "entries" | "spaces">;
    readonly now: number;
    id(ordinal: number): string;
  },
): FactWrites {
  const writing = new Writing(rows, now, id);
  for (const one of changes.placed) writing.place(one);
  for (const one of changes.placed) if (one.kept === undefined) writing.write(one);
  for (const { content, lost } of changes.contested)
    writing.contest(content, lost.retired, writing.versionOf(lost.by)?.id);
  for (const { version, reason, by } of changes.retired)
    writing.retire(version, reason, by === undefined ? undefined : writing.versionOf(by)?.id);
  return writing.finish(aside);
}

class Writing {
  readonly #rows: ReadonlyMap<string, unknown>;
  readonly #now: number;
  readonly #id: (ordinal: number) => string;
  readonly #versions = new Map<Interval, { readonly id: string; readonly factId: string }>();
  readonly #inserts: Mutation[] = [];
  readonly #changes: Mutation[] = [];
  readonly #grains: FactGrain[] = [];
  #ordinal = 0;

  constructor(rows: ReadonlyMap<string, unknown>, now: number, id: (ordinal: number) => string) {
    this.#rows = rows;
    this.#now = now;
    this.#id = id;
  }

  versionOf(interval: Interval): { readonly id: string; readonly factId: string } | undefined {
    return this.#versions.get(interval);
  }

  /** Gives a version to an interval: that which is there, or the next. What nothing says any more gets none. */
  place({ interval, kept, factId, content }: Placed): void {
    if (kept === undefined && !this.#isSaid(content)) return;
    const id = kept?.id ?? this.#id(this.#ordinal++);
    this.#versions.set(interval, { id, factId: factId ?? factIdOf(id) });
  }

  write({ interval, content }: Placed): void {
    const version = this.#versions.get(interval);
    if (version === undefined) return;
    const { id, factId } = version;
    const closer = interval.closedBy && this.#versions.get(interval.closedBy);
    const value = this.#value(content, { factId, status: "current" });
    const sources = this.#links(value, interval);
    if (closer !== undefined) sources.push({ kind: "fact", id: closer.id, role: supersededRole });
    this.#inserts.push(insert("fact", value, { sources }));
    const grain = { ...factGrain(value), ownerKind: "fact", ownerId: id } as const;
    this.#grains.push({ text: ownerText("fact", value), grain });
  }

  /** What was said and is not believed. */
  contest(content: FactContent, reason: "contested" | "superseded", by: string | undefined): void {
    if (!this.#isSaid(content)) return;
    const factId = factIdOf(this.#id(this.#ordinal++));
    const retired = { retiredAt: this.#now, retiredReason: reason };
    const value = this.#value(content, { factId, status: "contested", ...retired });
    const sources = this.#links(value);
    if (by !== undefined) sources.push({ kind: "fact", id: by, role: roleOf(reason) });
    this.#inserts.push(insert("fact", value, { sources }));
  }

  retire(version: Version, reason: Retirement, by: string | undefined): void {
    const sources = by === undefined ? [] : [{ kind: "fact", id: by, role: roleOf(reason) }];
    const { retiredAt = this.#now } = version;
    const value = { status: statusOf(reason), retiredAt, retiredReason: reason };
    this.#changes.push(patch("fact", version.id, value, { sources }));
    const grains = this.#rows.get(`grains ${version.id}`) as Page<Stored<Grain>> | undefined;
    for (const { id } of grains?.items ?? []) this.#changes.push(remove("grain", id));
  }

  #value(
    { evidence = [], mentions = 0, ...content }: FactContent,
    more: Pick<FactVersion, "factId" | "status" | "retiredAt" | "retiredReason">,
  ): FactVersion {
    const said = this.#stillSaid(evidence);
    const ends = said.map((one) => this.#endOf(one));
    const expiresAt = ends.includes(Infinity) ? undefined : Math.max(...ends);
    // What is gone since then counts no more; its job, which waits, judges the rest.
    const again = mentions - timesSaid(evidence) + timesSaid(said);
    return {
      ...{ ...content, evidence: said, ...more, recordedFrom: this.#now },
      ...defined({ expiresAt, mentions: again > 0 ? again : undefined }),
    };
  }

  /** Sources may have gone since they said it, with a job behind them that waits. */
  #isSaid({ evidence = [] }: FactContent): boolean {
    return this.#stillSaid(evidence).length > 0;
  }

  #stillSaid(evidence: readonly Evidence[]): Evidence[] {
    return evidenceLeft(evidence, (source) => recordAmong(this.#rows, source) !== undefined);
  }

  /** Until when something says it. */
  #endOf({ sources = [] }: Evidence): number {
    const ends = sources.map((source) => recordAmong(this.#rows, source)?.expiresAt ?? Infinity);
    return ends.length > 0 ? Math.max(...ends) : Infinity;
  }

  /** What a version rests on. What was told to the memory itself needs no ground: then all others only bear it out. */
  #links({ evidence = [] }: FactVersion, interval?: Interval): Source[] {
    const older = (interval?.sayings ?? []).flatMap(({ version }) => {
      const links = this.#rows.get(`sources ${version}`) as readonly Source[] | undefined;
      return (links ?? []).filter(({ role }) => role === groundRole);
    });
    const told = evidence.filter(({ sources }) => sources === undefined).length > (older.length > 0 ? 1 : 0);
    const role = told ? supportsRole : groundRole;
    const links = new Map<string, Source>();
    const add = (source: Source): void => {
      const name = JSON.stringify([source.kind, source.id, source.role]);
      if (!links.has(name)) links.set(name, source);
    };
    for (const { kind, id, start, end } of older) add({ kind, id, start, end, role });
    for (const { sources = [], ends } of evidence)
      for (const source of sources) {
        add({ ...source, role });
        if (ends) add({ kind: source.kind, id: source.id, role: causedRole });
      }
    return [...links.values()];
  }

  finish({ entries, spaces }: Pick<FactAside, "entries" | "spaces">): FactWrites {
    const missing = new MissingEntries();
    for (const one of this.#grains) {
      const grainId = this.#id(this.#ordinal++);
      // Another commit came between: what could not be foreseen is indexed by a job.
      const made = entries.get(entryKey(one)) ?? { entries: [], missing: spaces };
      this.#inserts.push(insert("grain", one.grain, { index: made.entries }));
      missing.add(grainId, made.missing);
    }
    return {
      mutations: [...this.#inserts, ...this.#changes],
      jobs: missing.jobs(),
      grains: this.#grains,
      versionOf: (interval) => this.versionOf(interval),
    };
  }
}

/** The id of a fact, after its first version; never that of a version. */
function factIdOf(versionId: string): string {
  return `fact-${versionId}`;
}

/** The role of the link from a version that is not believed to what holds instead. */
export function roleOf(reason: Retirement): string {
  return reason === "contested" ? contradictsRole : supersededRole;
}
