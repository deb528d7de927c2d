import { type Partition, partitionKey } from "../../model/partition.ts";
import type { Head } from "../driver.ts";
import type { Connection } from "./connection.ts";
import { insertHead, readHead, type StoredHead, updateHead } from "./heads.ts";

/** What the transactions of one commit group share. While it lasts, nobody else writes. */
export class Group {
  readonly connection: Connection;
  /** Whether anything but heads was written. */
  wrote = false;
  /** False while the member that runs has only read. */
  writing = true;
  // A partition that several members write to is read once and updated once.
  readonly #heads = new Map<string, StoredHead>();
  readonly #changed = new Map<string, StoredHead>();
  #position: number;

  /** @throws FluxError `outdated` when the database asks for newer code */
  constructor(connection: Connection) {
    this.connection = connection;
    const [minReader, minWriter, position] =
      connection
        .statement(
          `select "min_reader", "min_writer", max("pruned", coalesce((select max("position") from "change"), 0))
          from "meta"`,
        )
        .get() ?? [];
    connection.checkReader(minReader);
    connection.checkWriter(minWriter);
    this.#position = position as number;
  }

  head(partition: Partition): StoredHead | undefined {
    const key = partitionKey(partition);
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const stored = readHead(this.connection, partition);
    if (stored !== undefined) this.#heads.set(key, stored);
    return stored;
  }

  /** Stores a new partition. A member that fails takes it along, so it counts only once `setHead` was told. */
  createPartition(head: Head): number {
    return insertHead(this.connection, head);
  }

  /** Takes a member's head, once all its other writes are done. */
  setHead(stored: StoredHead): void {
    const key = partitionKey(stored.head.partition);
    this.#heads.set(key, stored);
    this.#changed.set(key, stored);
  }

  /** The next place in the change feed. */
  nextPosition(): number {
    this.#position += 1;
    return this.#position;
  }

  /** Writes the heads that have changed. */
  flush(): void {
    for (const stored of this.#changed.values()) updateHead(this.connection, stored);
  }
}
