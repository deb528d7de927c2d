import type { Partition } from "./partition.ts";

/**
 * `erase_all` stands for every record of the partition at once (its `kind` is "partition", its `id` is empty).
 */
export type ChangeOperation = "insert" | "update" | "delete" | "erase_all";

/** One entry of the change feed: which record changed, never how. */
export interface Change {
  readonly partition: Partition;
  readonly seq: number;
  readonly kind: string;
  readonly id: string;
  readonly operation: ChangeOperation;
}
