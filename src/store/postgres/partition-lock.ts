import { digest } from "../../model/hash.ts";
import type { SchemaNames } from "./names.ts";

/** The number of a partition's advisory lock. Two partitions with the same one would only wait for each other. */
export function partitionLock({ schema }: SchemaNames, key: string): string {
  return new DataView(digest("flux-memory", schema, key).buffer).getBigInt64(0).toString();
}
