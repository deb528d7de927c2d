/**
 * A whole adapter: a store that keeps its rows in lists and reads them by looking at each. It is slow, and it is right: the contract
 * suite at the end says so. `docs/adapters.md` explains what each method owes; `adapter/` has how rows and the index are read.
 */
import { type Change, FluxError, type Partition, partitionKey } from "flux-memory";
import {
  type Capabilities,
  createLedger,
  type Driver,
  declared,
  type Head,
  type JobCount,
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
import { type GrainIndex, grainsAround, indexed, matchGrains, nearestGrains } from "./adapter/grain-index.ts";
import { cell, compare, find, hasKey, isExpired, selected } from "./adapter/rows.ts";

/** One partition. A commit makes a new one, so that a commit that fails leaves the old one as it was. */
interface Stored {
  readonly head: Head;
  /** Rows by the name of their table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly index: GrainIndex;
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
    const { index = [] } = stored ?? {};
    const grains = rowsOf(recordTables.grain);
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
        return [{ count: index.filter(({ grainId }) => read.grainIds.includes(grainId)).length }];
      case "match":
        return matchGrains(index, grains, read);
      case "nearest": {
        const dimensions = this.#spaces.find(({ id }) => id === read.space)?.dimensions;
        if (dimensions !== undefined && dimensions !== read.vector.length)
          throw new FluxError("dimension_mismatch", `The space has vectors of ${dimensions} numbers`);
        return nearestGrains(index, grains, read);
      }
      case "around":
        return grainsAround(grains, read);
    }
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
          index = indexed(index, write);
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
