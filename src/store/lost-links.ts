import { groundRole, type Ref } from "../model/record.ts";
import type { Reading, RowRead } from "./driver.ts";
import { linkName, sealedMoment, systemTables } from "./system-tables.ts";
import type { RecordTable, Row, Table } from "./table.ts";
import { tableOf } from "./translate.ts";

/** What a record that lost a source has left, and what is to become of it. */
export interface Survivor {
  readonly ref: Ref;
  readonly row: Row;
  readonly links: readonly Row[];
}

/** The links that an erasure cuts, and what becomes of those that rested on what they led to. */
export class LostLinks {
  readonly #dry: boolean;
  readonly #links = new Map<string, Row>();
  readonly #lostGround = new Set<string>();
  // What lost a link since the last look.
  readonly #losers: Ref[] = [];

  /** @param options.dry whether what purges hide gives no ground */
  constructor({ dry }: { readonly dry: boolean }) {
    this.#dry = dry;
  }

  get links(): readonly Row[] {
    return [...this.#links.values()];
  }

  has(link: Row): boolean {
    return this.#links.has(linkName(link));
  }

  add(links: readonly Row[]): void {
    for (const link of links) {
      const name = linkName(link);
      if (this.#links.has(name)) continue;
      this.#links.set(name, link);
      const derived = { kind: link.derivedKind as string, id: link.derivedId as string };
      this.#losers.push(derived);
      if (isGround(link)) this.#lostGround.add(refName(derived.kind, derived.id));
    }
  }

  /**
   * The records and jobs that lost a source since the last look and are still there, what is known of them and of what they rest on,
   * and which of all these have some ground left.
   */
  *look(isErased: (ref: Ref) => boolean): Reading<{
    readonly touched: readonly Ref[];
    readonly known: ReadonlyMap<string, Survivor>;
    readonly grounded: ReadonlySet<string>;
  }> {
    const touched = unique(this.#losers.splice(0)).filter((ref) => !isErased(ref));
    const known = yield* this.#groundsOf(touched);
    return { touched, known, grounded: this.#grounded(known) };
  }

  /** The given records and jobs, and everything that they rest on, as far as it was derived itself and may survive. */
  *#groundsOf(refs: readonly Ref[]): Reading<Map<string, Survivor>> {
    const known = new Map<string, Survivor>();
    for (let level = refs; level.length > 0; ) {
      const unknown = level.filter(({ kind, id }) => !known.has(refName(kind, id)));
      const found = yield unknown.flatMap(({ kind, id }): RowRead[] => {
        const table = kind === systemTables.job.name ? systemTables.job : tableOf(kind);
        return [
          { type: "get", table, key: [id], columns: columnsOf(table) },
          { type: "find", table: systemTables.link, index: "byId", prefix: [kind, id] },
        ];
      });
      unknown.forEach((ref, i) => {
        const [row] = found[2 * i] ?? [];
        const links = (found[2 * i + 1] ?? []).filter((link) => !this.has(link));
        if (row !== undefined) known.set(refName(ref.kind, ref.id), { ref, row, links });
      });
      if (this.#dry) yield* this.#dropHidden(unknown, known);
      level = unique(
        unknown
          .flatMap(({ kind, id }) => known.get(refName(kind, id))?.links ?? [])
          .filter((link) => isGround(link) && !goesWithSource(link.sourceKind as string))
          .map((link) => ({ kind: link.sourceKind as string, id: link.sourceId as string })),
      );
    }
    return known;
  }

  /** Takes from what is known the links to what other purges hide. */
  *#dropHidden(refs: readonly Ref[], known: Map<string, Survivor>): Reading<void> {
    const survivors = refs.flatMap(({ kind, id }) => known.get(refName(kind, id)) ?? []);
    const sources = unique(
      survivors.flatMap(({ links }) =>
        links.map(({ sourceKind, sourceId }) => ({ kind: sourceKind as string, id: sourceId as string })),
      ),
    ).filter(({ kind }) => tableOf(kind).expires);
    if (sources.length === 0) return;
    const columns = ["expiresAt"];
    const found = yield sources.map(
      ({ kind, id }): RowRead => ({ type: "get", table: tableOf(kind), key: [id], columns }),
    );
    const hidden = new Set(
      sources.flatMap(({ kind, id }, i) =>
        found[i]?.[0]?.expiresAt === sealedMoment ? [refName(kind, id)] : [],
      ),
    );
    for (const { ref, row, links } of survivors) {
      const left = links.filter((link) => !hidden.has(refName(link.sourceKind as string, link.sourceId)));
      if (left.length === links.length) continue;
      const name = refName(ref.kind, ref.id);
      if (links.some((link) => isGround(link) && !left.includes(link))) this.#lostGround.add(name);
      known.set(name, { ref, row, links: left });
    }
  }

  /** The least set that holds whatever stands on its own or on another kind of record, and all that rests on one in the set. */
  #grounded(known: ReadonlyMap<string, Survivor>): ReadonlySet<string> {
    const grounded = new Set<string>();
    const resting = new Map<string, string[]>();
    const queue: string[] = [];
    for (const [name, { links }] of known) {
      const grounds = links.filter(isGround);
      // Stated as it is: it has no ground now, and had none before.
      const stated = grounds.length === 0 && !this.#lostGround.has(name);
      if (stated || grounds.some((link) => goesWithSource(link.sourceKind as string))) queue.push(name);
      for (const { sourceKind, sourceId } of grounds) {
        const source = refName(sourceKind as string, sourceId);
        resting.set(source, [...(resting.get(source) ?? []), name]);
      }
    }
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (grounded.has(name)) continue;
      grounded.add(name);
      queue.push(...(resting.get(name) ?? []));
    }
    return grounded;
  }
}

/** Whether a record goes with any of its sources. */
export function goesWithSource(kind: string): boolean {
  return kind !== systemTables.job.name && tableOf(kind).onSourceErased === "erase";
}

/** What a walk needs of a row. Contents may be large, and are none of its business. */
export function columnsOf(table: Table | RecordTable): readonly string[] {
  const thread = "thread" in table ? table.thread : undefined;
  const present = ["bytes", "expiresAt", "status"].filter((column) => column in table.columns);
  return ["id", ...present, ...(thread === undefined ? [] : [thread])];
}

/** Whether a link gives what was derived its ground. A job has something to do while any of its sources is left. */
function isGround(link: Row): boolean {
  return link.role === groundRole || link.derivedKind === systemTables.job.name;
}

export function unique(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [refName(ref.kind, ref.id), ref])).values()];
}

export function refName(kind: string, id: unknown): string {
  return `${kind}/${id}`;
}
