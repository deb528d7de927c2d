import type { Row } from "../../table.ts";

/** What the change feed says that became of grains of one partition. */
export interface GrainChanges {
  /** Of the last change of the whole feed. */
  readonly position: number;
  /** Ids of grains that changed or went behind the position that was asked for; "all" when that cannot be told. */
  readonly changed: Iterable<string> | "all";
}

interface CachedGrains {
  position: number;
  bytes: number;
  readonly rows: Map<string, Row>;
}

/** Bytes that a row takes besides its text, about. */
const bytesOfRow = 600;

/**
 * Rows of grains of the partitions that were searched last, which are read anew when the change feed names them. To be used
 * within snapshots that do not go back, never where a commit is under way.
 */
export class GrainCache {
  readonly #maxBytes: number;
  // In the order of their last use.
  readonly #partitions = new Map<number, CachedGrains>();
  #bytes = 0;

  /** @param maxBytes bytes of rows that are kept, as far as they can be told */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The rows of grains by their ids, in their order; undefined for those that are not there.
   *
   * @param changes what changed behind a position
   * @param read reads rows by id
   */
  rows(
    partition: number,
    ids: readonly string[],
    {
      changes,
      read,
    }: {
      readonly changes: (after: number) => GrainChanges;
      readonly read: (ids: readonly string[]) => readonly Row[];
    },
  ): readonly (Row | undefined)[] {
    const cached = this.#partitions.get(partition) ?? { position: -1, bytes: 0, rows: new Map() };
    this.#partitions.delete(partition);
    this.#partitions.set(partition, cached);
    const { position, changed } = changes(cached.position);
    if (changed === "all") this.#forget(cached, [...cached.rows.keys()]);
    else this.#forget(cached, changed);
    cached.position = position;
    const { rows } = cached;
    const found = ids.map((id) => rows.get(id));
    if (found.includes(undefined)) {
      const missing = ids.filter((_, i) => found[i] === undefined);
      for (const row of read([...new Set(missing)])) {
        rows.set(row.id as string, row);
        this.#count(cached, bytesOf(row));
      }
      for (const [i, id] of ids.entries()) found[i] ??= rows.get(id);
    }
    this.#evict();
    return found;
  }

  #forget(cached: CachedGrains, ids: Iterable<string>): void {
    for (const id of ids) {
      const row = cached.rows.get(id);
      if (row === undefined) continue;
      cached.rows.delete(id);
      this.#count(cached, -bytesOf(row));
    }
  }

  #count(cached: CachedGrains, bytes: number): void {
    cached.bytes += bytes;
    this.#bytes += bytes;
  }

  #evict(): void {
    for (const [partition, { bytes }] of this.#partitions) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#partitions.delete(partition);
      this.#bytes -= bytes;
    }
  }

  clear(): void {
    this.#partitions.clear();
    this.#bytes = 0;
  }
}

function bytesOf(row: Row): number {
  return bytesOfRow + (row.bytes as number);
}
