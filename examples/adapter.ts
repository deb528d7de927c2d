/**
 * A whole adapter in one file: a store that keeps its rows in lists and reads them by looking at each. It is slow, and it is
 * right: the contract suite at the end says so. `docs/adapters.md` explains what each method owes.
 */
import { type Change, FluxError, type Partition, partitionKey } from "flux-memory";
import {
  type Capabilities,
  createLedger,
  type Driver,
  declared,
  type FindRows,
  type GrainSearch,
  type Head,
  type IndexEntry,
  indexOrder,
  type JobCount,
  matches,
  type NewSpace,
  type Row,
  type RowRead,
  type RowWrite,
  recordTables,
  type Space,
  systemTables,
  type Table,
  type Transaction,
} from "flux-memory/adapter";
import { ledgerContract } from "flux-memory/testing";

/** One partition. A commit makes a new one, so that a commit that fails leaves the old one as it was. */
interface Stored {
  readonly head: Head;
  /** Rows by the name of their table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly index: readonly { readonly grainId: string; readonly entry: IndexEntry }[];
}

/** Absent ids are stored as the empty string, which is no id. */
const cell = (row: Row, column: string): string | number | boolean => (row[column] as string) ?? "";
const isExpired = (row: Row, now = Number.NEGATIVE_INFINITY): boolean =>
  row.expiresAt !== undefined && (row.expiresAt as number) <= now;
const hasKey = (table: Table, row: Row, key: readonly string[]): boolean =>
  table.key.every((column, i) => row[column] === key[i]);

/** Text is compared by its bytes, numbers and booleans by their size. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (typeof a === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function filtered(row: Row, filter: FindRows["filter"]): boolean {
  return (
    filter === undefined ||
    matches(filter, row.metadata === undefined ? undefined : JSON.parse(row.metadata as string))
  );
}

/** Stored rows as a read wants them: new ones of the columns that it names, without absent values, or all as they are. */
function selected(rows: readonly Row[], columns: readonly string[] | undefined): readonly Row[] {
  if (columns === undefined) return rows;
  return rows.map((row) => {
    const present = columns.filter((column) => row[column] !== undefined);
    return Object.fromEntries(present.map((column) => [column, row[column]]));
  });
}

function find(rows: readonly Row[], read: FindRows): readonly Row[] {
  const { table, index, prefix, range = {}, reverse = false, after, filter, limit, now } = read;
  const order = indexOrder(table, index);
  const rest = order.slice(prefix.length);
  const direction = reverse ? -1 : 1;
  const place = (row: Row): readonly unknown[] => rest.map((column) => cell(row, column));
  const bounded = (row: Row): boolean => {
    if (rest[0] === undefined) return true;
    const value = cell(row, rest[0]);
    const { gt, gte, lt, lte } = range;
    return (
      (gt === undefined || compare(value, gt) > 0) &&
      (gte === undefined || compare(value, gte) >= 0) &&
      (lt === undefined || compare(value, lt) < 0) &&
      (lte === undefined || compare(value, lte) <= 0)
    );
  };
  return rows
    .filter((row) => prefix.every((value, i) => cell(row, order[i] as string) === value) && bounded(row))
    .filter((row) => after === undefined || direction * compareLists(place(row), after) > 0)
    .filter((row) => !isExpired(row, now) && filtered(row, filter))
    .sort((a, b) => direction * compareLists(place(a), place(b)))
    .slice(0, limit);
}

/** Grains with scores, the best first and of equal ones the newest. */
function best<T extends { readonly row: Row; readonly score: number }>(
  scored: readonly T[],
  limit: number,
): T[] {
  return scored
    .toSorted((a, b) => b.score - a.score || (b.row.seq as number) - (a.row.seq as number))
    .slice(0, limit);
}

export class ListDriver implements Driver {
  readonly #partitions = new Map<string, Stored>();
  readonly #waiting = new Set<() => void>();
  #changes: { readonly position: number; readonly at: number; readonly change: Change }[] = [];
  #spaces: readonly Space[] = [];
  #lastSpace = 0;
  #position = 0;
  #pruned = 0;

  async capabilities(): Promise<Capabilities> {
    return { adapter: "lists", durability: "memory", shared: false, schemaVersion: 0, vectors: "in_process" };
  }

  /** Nothing is awaited between the first read and the last write, which makes it atomic here. */
  async transact<T>(partition: Partition, fresh: () => Head, transaction: Transaction<T>): Promise<T> {
    const stored = this.#stored(partition) ?? { head: fresh(), rows: new Map(), index: [] };
    const run = transaction(stored.head);
    let step = run.next();
    while (step.done !== true) step = run.next(step.value.map((read) => this.#read(stored, read)));
    const { head, writes, changes, value } = step.value;
    this.#partitions.set(partitionKey(partition), { ...this.#written(stored, writes), head });
    for (const change of changes) {
      this.#position += 1;
      this.#changes.push({ position: this.#position, at: head.recordedAt, change: { partition, ...change } });
    }
    for (const wake of this.#waiting) wake();
    return value;
  }

  async snapshot(partition: Partition, reads: readonly RowRead[]) {
    const stored = this.#stored(partition);
    const rows = reads.map((read) => this.#read(stored, read));
    return { head: stored?.head, rows };
  }

  #stored(partition: Partition): Stored | undefined {
    return this.#partitions.get(partitionKey(partition));
  }

  #read(stored: Stored | undefined, read: RowRead): readonly Row[] {
    const rowsOf = ({ name }: Table): readonly Row[] => stored?.rows.get(name) ?? [];
    switch (read.type) {
      case "get":
        return selected(
          rowsOf(read.table).filter((row) => hasKey(read.table, row, read.key) && !isExpired(row, read.now)),
          read.columns,
        );
      case "find":
        return selected(find(rowsOf(read.table), read), read.columns);
      case "count": {
        const { table, upTo = Number.POSITIVE_INFINITY } = read;
        return [{ count: rowsOf(table).filter(({ seq = 0 }) => (seq as number) <= upTo).length }];
      }
      case "spaces":
        return this.#spaces
          .filter(({ state }) => state !== "retired")
          .map(({ id, dimensions }) => ({ id, dimensions }));
      case "indexed":
        return [
          { count: stored?.index.filter(({ grainId }) => read.grainIds.includes(grainId)).length ?? 0 },
        ];
      case "match":
        return this.#match(stored, read);
      case "nearest": {
        const dimensions = this.#spaces.find(({ id }) => id === read.space)?.dimensions;
        if (dimensions !== undefined && dimensions !== read.vector.length)
          throw new FluxError("dimension_mismatch", `The space has vectors of ${dimensions} numbers`);
        const scored = this.#candidates(stored, read).flatMap(({ row, entry }) =>
          "vector" in entry
            ? [{ row, score: entry.vector.reduce((sum, x, i) => sum + x * (read.vector[i] as number), 0) }]
            : [],
        );
        return best(scored, read.limit).map(({ row, score }) => ({ grain: row, similarity: score }));
      }
      case "around":
        return read.points.flatMap(({ id, sessionId, ownerKind, seq }) =>
          [-1, 1].flatMap((side) => {
            const table = recordTables.grain;
            const range = side < 0 ? { lt: seq } : { gt: seq };
            const session = {
              type: "find",
              table,
              index: "bySession",
              prefix: [sessionId],
              now: read.now,
            } as const;
            return find(rowsOf(table), { ...session, range, reverse: side < 0 })
              .filter((row) => row.ownerKind === ownerKind)
              .slice(0, read.reach)
              .map((row, i) => ({ grain: row, of: id, distance: side * (i + 1) }));
          }),
        );
    }
  }

  /** The entries of a space whose grains a search may return. */
  #candidates(stored: Stored | undefined, { space, where, now }: GrainSearch) {
    const { allowed, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, filter } = where;
    const grains = new Map(stored?.rows.get("grain")?.map((row) => [row.id, row]));
    return (stored?.index ?? []).flatMap(({ grainId, entry }) => {
      const row = grains.get(grainId);
      if (entry.space !== space || row === undefined || isExpired(row, now)) return [];
      const saidAt = row.saidAt as number;
      const fits = allowed.every(([column, values]) => values.includes(cell(row, column) as string));
      return fits && saidAt >= from && saidAt < until && filtered(row, filter) ? [{ row, entry }] : [];
    });
  }

  /** By BM25 with k1 = 1.2 and b = 0.75, over all that the partition has in the space. */
  #match(
    stored: Stored | undefined,
    read: GrainSearch & { readonly terms: readonly string[] },
  ): readonly Row[] {
    const countsIn = (entry: IndexEntry): number[] =>
      read.terms.map((term) => ("terms" in entry ? entry.terms.filter((other) => other === term).length : 0));
    const lengthOf = (entry: IndexEntry): number => ("terms" in entry ? entry.terms.length : 0);
    const entries = (stored?.index ?? [])
      .map(({ entry }) => entry)
      .filter(({ space }) => space === read.space);
    const documents = entries.length;
    const terms = entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
    const all = entries.map(countsIn);
    const frequencies = read.terms.map((_, i) => all.filter((counts) => (counts[i] as number) > 0).length);
    const scored = this.#candidates(stored, read).flatMap(({ row, entry }) => {
      const [counts, length] = [countsIn(entry), lengthOf(entry)];
      if (counts.every((count) => count === 0)) return [];
      const saturation = 1.2 * (0.25 + (0.75 * length * documents) / terms);
      const score = counts.reduce((sum, count, i) => {
        const frequency = frequencies[i] as number;
        const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
        return sum + (rarity * count * 2.2) / (count + saturation);
      }, 0);
      return [{ row, length, counts, score }];
    });
    const found = best(scored, read.limit).map(({ row, length, counts }) => ({ grain: row, length, counts }));
    return [{ documents, terms, frequencies }, ...found];
  }

  /** The partition with all writes applied. Throws before anything is kept when a key is taken. */
  #written(stored: Stored, writes: readonly RowWrite[]): Stored {
    const rows = new Map(stored.rows);
    let index = stored.index;
    const rowsOf = ({ name }: Table): readonly Row[] => rows.get(name) ?? [];
    const without = (table: Table, key: readonly string[]): readonly Row[] =>
      rowsOf(table).filter((row) => !hasKey(table, row, key));
    // What goes is gone before others take its key.
    const order = { remove: 0, clear: 0, scrub: 0, unindex: 0, replace: 1, insert: 2, index: 3 } as const;
    for (const write of writes.toSorted((a, b) => order[a.type] - order[b.type])) {
      switch (write.type) {
        case "remove":
          rows.set(write.table.name, without(write.table, write.key));
          break;
        case "clear":
          rows.set(write.table.name, []);
          break;
        case "scrub":
          rows.set(
            systemTables.operation.name,
            rowsOf(systemTables.operation).map((row) => ({ ...row, result: undefined })),
          );
          break;
        case "replace": {
          const key = write.table.key.map((column) => write.row[column] as string);
          rows.set(write.table.name, [...without(write.table, key), write.row]);
          break;
        }
        case "insert": {
          const { table, row } = write;
          const unique = [
            table.key,
            ...Object.values(table.indexes).flatMap((one) => (one.unique ? [one.columns] : [])),
          ];
          const taken = rowsOf(table).some((other) =>
            unique.some((columns) => columns.every((column) => cell(other, column) === cell(row, column))),
          );
          if (taken) throw new FluxError("already_exists", `There is already a ${table.name} with this key`);
          rows.set(table.name, [...rowsOf(table), row]);
          break;
        }
        case "index":
          index = index.filter(
            ({ grainId, entry }) => grainId !== write.grainId || entry.space !== write.entry.space,
          );
          index = [...index, { grainId: write.grainId, entry: write.entry }];
          break;
        case "unindex":
          index = write.grainId === undefined ? [] : index.filter(({ grainId }) => grainId !== write.grainId);
      }
    }
    return { head: stored.head, rows, index };
  }

  async partitions(after: string | undefined, limit: number): Promise<readonly Partition[]> {
    return [...this.#partitions]
      .filter(([key]) => after === undefined || compare(key, after) > 0)
      .sort(([a], [b]) => compare(a, b))
      .slice(0, limit)
      .map(([, { head }]) => head.partition);
  }

  async changes(after: string | undefined, limit: number) {
    const position = after === undefined ? this.#pruned : /^\d+$/.test(after) ? Number(after) : Number.NaN;
    if (!(position <= this.#position))
      throw new FluxError("invalid_cursor", "The cursor is not one of this feed");
    if (position < this.#pruned)
      throw new FluxError("cursor_too_old", "The change feed no longer reaches back this far");
    const found = this.#changes.filter((one) => one.position > position).slice(0, limit);
    return { changes: found.map(({ change }) => change), cursor: String(found.at(-1)?.position ?? position) };
  }

  async changesHead(): Promise<string> {
    return String(this.#position);
  }

  wait(timeout: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, timeout);
      this.#waiting.add(end);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
    });
  }

  async pruneChanges(before: number): Promise<number> {
    const pruned = this.#changes.filter(({ at }) => at < before);
    this.#changes = this.#changes.filter(({ at }) => at >= before);
    this.#pruned = Math.max(this.#pruned, ...pruned.map(({ position }) => position));
    return pruned.length;
  }

  /** Rows of all partitions. */
  #everywhere(table: Table, of: (row: Row) => boolean) {
    return [...this.#partitions.values()].flatMap(({ head: { partition }, rows }) =>
      (rows.get(table.name) ?? []).filter(of).map((row) => ({ partition, row })),
    );
  }

  async readyLanes(queues: readonly string[], now: number, limit: number) {
    const firsts = [...this.#partitions.values()].flatMap(({ head: { partition }, rows }) =>
      [...new Set(queues)].flatMap((queue) => {
        const lane = {
          type: "find",
          table: systemTables.job,
          index: "byLane",
          prefix: [false, queue],
          limit: 1,
        } as const;
        return find(rows.get(systemTables.job.name) ?? [], lane).map((row) => ({
          partition,
          queue,
          at: row.readyAt,
        }));
      }),
    );
    return firsts
      .filter(({ at }) => (at as number) <= now)
      .sort((a, b) => compare(a.at, b.at))
      .slice(0, limit);
  }

  async countJobs(queues: readonly string[]) {
    const counts = new Map<string, JobCount>();
    for (const { row } of this.#everywhere(systemTables.job, (row) => queues.includes(row.queue as string))) {
      const { queue, dead, error } = row as Pick<JobCount, "queue" | "dead" | "error">;
      const key = JSON.stringify([queue, dead, error]);
      counts.set(key, { queue, dead, error, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  async expired(table: Table, { after, until }: { after: number; until: number }, limit: number) {
    const due = (row: Row): boolean => isExpired(row, until) && !isExpired(row, after);
    const found = this.#everywhere(table, due).slice(0, limit);
    return found.map(({ partition, row }) => ({ partition, id: row.id as string }));
  }

  async pendingErasures(limit: number) {
    const found = this.#everywhere(systemTables.erasure, ({ physical }) => physical === false).slice(
      0,
      limit,
    );
    return found.map(({ partition, row }) => ({ partition, id: row.id as string }));
  }

  async spaces(): Promise<readonly Space[]> {
    return this.#spaces;
  }

  async declareSpace(wanted: NewSpace): Promise<Space> {
    const found = declared(this.#spaces, wanted);
    if ("id" in found) return found;
    this.#lastSpace += 1;
    const made: Space = { ...wanted, ...found, id: this.#lastSpace };
    this.#spaces = [...this.#spaces, made];
    return made;
  }

  async activateSpace(id: number): Promise<Space | undefined> {
    const kind = this.#spaces.find((space) => space.id === id)?.kind;
    this.#spaces = this.#spaces.map((space) => {
      if (space.id === id) return { ...space, state: "active" };
      return space.kind === kind && space.state === "active" ? { ...space, state: "retired" } : space;
    });
    return this.#spaces.find((space) => space.id === id);
  }

  async dropSpace(id: number): Promise<void> {
    if (this.#spaces.some((space) => space.id === id && space.state === "active")) return;
    this.#spaces = this.#spaces.filter((space) => space.id !== id);
    for (const [key, stored] of this.#partitions)
      this.#partitions.set(key, { ...stored, index: stored.index.filter(({ entry }) => entry.space !== id) });
  }

  /** There are no files: what was removed is gone. */
  async cleanMark(): Promise<string> {
    return "now";
  }

  async clean(): Promise<boolean> {
    return true;
  }

  async search(partition: Partition, texts: readonly string[]) {
    const stored = this.#stored(partition);
    const cells = [...(stored?.rows.values() ?? [])].flat().flatMap((row) => Object.values(row));
    const terms = (stored?.index ?? []).flatMap(({ entry }) => ("terms" in entry ? entry.terms : []));
    const places = [...cells, ...terms].filter((value) => typeof value === "string");
    const holds = (place: string, text: string): boolean =>
      place.includes(text) || place.includes(JSON.stringify(text).slice(1, -1));
    const rows = texts.reduce((sum, text) => sum + places.filter((place) => holds(place, text)).length, 0);
    return { rows, files: undefined };
  }

  async close(): Promise<void> {
    for (const wake of this.#waiting) wake();
  }
}

// With a test runner: `test(`${group}: ${name}`, run, timeout)` for each.
const cases = ledgerContract({ open: (options) => createLedger(new ListDriver(), options) });
let failed = 0;
for (const { group, name, run } of cases) {
  await run().catch((error: unknown) => {
    failed += 1;
    console.error(`✗ ${group}: ${name}\n`, error);
  });
}
console.log(`${cases.length - failed} of the contract's ${cases.length} cases hold for this adapter.`);
process.exitCode = failed === 0 ? 0 : 1;
