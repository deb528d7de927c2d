import type { Change } from "../../model/change.ts";
import { FluxError } from "../../model/errors.ts";
import { type Partition, partitionKey } from "../../model/partition.ts";
import { compareUtf8 } from "../../model/unicode.ts";
import type { Driver, Head, RowRead, Transaction } from "../driver.ts";
import { checkQueryVector } from "../index-entries.ts";
import type { Capabilities, JobCount } from "../ledger.ts";
import { declared, type NewSpace, type Space } from "../search.ts";
import { systemTables } from "../system-tables.ts";
import type { Row, Table } from "../table.ts";
import { PartitionRows } from "./rows.ts";

interface StoredPartition {
  head: Head;
  readonly rows: PartitionRows;
}

/** A driver that keeps everything in this process's memory, and behaves as the others do. */
export class MemoryDriver implements Driver {
  readonly #partitions = new Map<string, StoredPartition>();
  readonly #waiting = new Set<() => void>();
  #changes: { readonly position: number; readonly at: number; readonly change: Change }[] = [];
  #spaces: readonly Space[] = [];
  #lastSpace = 0;
  #position = 0;
  #pruned = 0;

  async capabilities(): Promise<Capabilities> {
    return {
      adapter: "inmemory",
      durability: "memory",
      shared: false,
      schemaVersion: 0,
      vectors: "in_process",
    };
  }

  async transact<T>(partition: Partition, fresh: () => Head, transaction: Transaction<T>): Promise<T> {
    const key = partitionKey(partition);
    const stored = this.#partitions.get(key) ?? { head: fresh(), rows: new PartitionRows() };
    // One turn of the event loop from the first read to the last write: nothing comes between.
    const run = transaction(stored.head);
    let step = run.next();
    while (step.done !== true) step = run.next(step.value.map((read) => this.#read(stored.rows, read)));
    const { head, writes, changes, value } = step.value;
    stored.rows.write(writes);
    stored.head = head;
    this.#partitions.set(key, stored);
    for (const change of changes) {
      this.#position += 1;
      this.#changes.push({ position: this.#position, at: head.recordedAt, change: { partition, ...change } });
    }
    if (changes.some(({ operation }) => operation === "erase_all")) this.#forgetChanges(key, head.seq);
    if (writes.length > 0) for (const wake of this.#waiting) wake();
    return value;
  }

  /** What came before an erasure of everything is of no use to a follower any more. */
  #forgetChanges(key: string, before: number): void {
    this.#changes = this.#changes.filter(
      ({ change }) => change.seq >= before || partitionKey(change.partition) !== key,
    );
  }

  async snapshot(
    partition: Partition,
    reads: readonly RowRead[],
  ): Promise<{ head: Head | undefined; rows: readonly (readonly Row[])[] }> {
    const stored = this.#partitions.get(partitionKey(partition));
    const rows = stored?.rows ?? new PartitionRows();
    return { head: stored?.head, rows: reads.map((read) => this.#read(rows, read)) };
  }

  #read(rows: PartitionRows, read: RowRead): readonly Row[] {
    if (read.type === "nearest") {
      const space = this.#spaces.find(({ id }) => id === read.space);
      if (space !== undefined) checkQueryVector(read.vector, space.dimensions);
    }
    if (read.type !== "spaces") return rows.read(read);
    return this.#spaces
      .filter(({ state }) => state !== "retired")
      .map(({ id, dimensions }) => ({ id, dimensions }));
  }

  async partitions(after: string | undefined, limit: number): Promise<readonly Partition[]> {
    return [...this.#partitions]
      .filter(([key]) => after === undefined || compareUtf8(key, after) > 0)
      .sort(([a], [b]) => compareUtf8(a, b))
      .slice(0, limit)
      .map(([, { head }]) => head.partition);
  }

  async changes(
    after: string | undefined,
    limit: number,
  ): Promise<{ changes: readonly Change[]; cursor: string }> {
    const position = after === undefined ? this.#pruned : /^\d+$/.test(after) ? Number(after) : -1;
    if (position < 0 || position > this.#position) {
      throw new FluxError("invalid_cursor", "The cursor is not one of this feed");
    }
    if (position < this.#pruned)
      throw new FluxError("cursor_too_old", "The change feed no longer reaches back this far");
    const found = this.#changes.filter((entry) => entry.position > position).slice(0, limit);
    return { changes: found.map(({ change }) => change), cursor: String(found.at(-1)?.position ?? position) };
  }

  async changesHead(): Promise<string> {
    return String(this.#position);
  }

  wait(timeout: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      this.#waiting.add(done);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }

  async pruneChanges(before: number): Promise<number> {
    const kept = this.#changes.filter(({ at }) => at >= before);
    const pruned = this.#changes.length - kept.length;
    for (const { at, position } of this.#changes)
      if (at < before && position > this.#pruned) this.#pruned = position;
    this.#changes = kept;
    return pruned;
  }

  async readyLanes(
    queues: readonly string[],
    now: number,
    limit: number,
  ): Promise<readonly { partition: Partition; queue: string }[]> {
    const lanes: { readonly partition: Partition; readonly queue: string; readonly readyAt: number }[] = [];
    for (const { head, rows } of this.#partitions.values()) {
      for (const queue of new Set(queues)) {
        const [first] = rows.read({
          type: "find",
          table: systemTables.job,
          index: "byLane",
          prefix: [false, queue],
          limit: 1,
        });
        const readyAt = first?.readyAt as number | undefined;
        if (readyAt !== undefined && readyAt <= now)
          lanes.push({ partition: head.partition, queue, readyAt });
      }
    }
    return lanes.sort((a, b) => a.readyAt - b.readyAt).slice(0, limit);
  }

  async countJobs(queues: readonly string[]): Promise<readonly JobCount[]> {
    const counts = new Map<string, JobCount>();
    const table = systemTables.job;
    for (const { rows } of this.#partitions.values()) {
      for (const queue of queues)
        for (const dead of [false, true]) {
          for (const row of rows.read({ type: "find", table, index: "byLane", prefix: [dead, queue] })) {
            const error = row.error as string | undefined;
            const key = JSON.stringify([queue, dead, error]);
            const count = (counts.get(key)?.count ?? 0) + 1;
            counts.set(key, { queue, dead, error, count });
          }
        }
    }
    return [...counts.values()];
  }

  async expired(
    table: Table,
    moments: { readonly after: number; readonly until: number },
    limit: number,
  ): Promise<readonly { partition: Partition; id: string }[]> {
    const found: { readonly partition: Partition; readonly id: string }[] = [];
    for (const { head, rows } of this.#partitions.values()) {
      for (const id of rows.expired(table, moments)) {
        if (found.length >= limit) return found;
        found.push({ partition: head.partition, id });
      }
    }
    return found;
  }

  async pendingErasures(limit: number): Promise<readonly { partition: Partition; id: string }[]> {
    const found: { readonly partition: Partition; readonly id: string }[] = [];
    for (const { head, rows } of this.#partitions.values()) {
      const pending = rows.read({
        type: "find",
        table: systemTables.erasure,
        index: "byState",
        prefix: [false],
        limit,
      });
      found.push(...pending.map((row) => ({ partition: head.partition, id: row.id as string })));
    }
    return found.slice(0, limit);
  }

  async spaces(): Promise<readonly Space[]> {
    return this.#spaces;
  }

  async declareSpace(wanted: NewSpace): Promise<Space> {
    const found = declared(this.#spaces, wanted);
    if ("id" in found) return found;
    this.#lastSpace += 1;
    const space: Space = { id: this.#lastSpace, ...wanted, ...found };
    this.#spaces = [...this.#spaces, space];
    return space;
  }

  async activateSpace(id: number): Promise<Space | undefined> {
    const chosen = this.#spaces.find((space) => space.id === id);
    if (chosen === undefined) return undefined;
    this.#spaces = this.#spaces.map((space) => {
      if (space.id === id) return { ...space, state: "active" };
      return space.kind === chosen.kind && space.state === "active" ? { ...space, state: "retired" } : space;
    });
    return { ...chosen, state: "active" };
  }

  async dropSpace(id: number): Promise<void> {
    this.#spaces = this.#spaces.filter((space) => space.id !== id || space.state === "active");
    if (this.#spaces.every((space) => space.id !== id))
      for (const { rows } of this.#partitions.values()) rows.dropSpace(id);
  }

  async cleanMark(): Promise<string> {
    return "memory";
  }

  async clean(): Promise<boolean> {
    return true;
  }

  async search(partition: Partition, texts: readonly string[]): Promise<{ rows: number; files: undefined }> {
    const stored = this.#partitions.get(partitionKey(partition));
    return { rows: stored?.rows.search(texts) ?? 0, files: undefined };
  }

  async close(): Promise<void> {
    for (const wake of this.#waiting) wake();
    this.#partitions.clear();
    this.#changes = [];
  }
}
