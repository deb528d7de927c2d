import { describe, FluxTypeError } from "./errors.ts";
import { checkId } from "./ids.ts";
import { checkNames, optionNames } from "./options.ts";

/**
 * Whose memory it is: the unit of isolation, write order, version, quota and erasure. `userId: null` is the anonymous
 * user of the namespace, who is nobody else.
 */
export interface Partition {
  readonly namespace: string;
  readonly userId: string | null;
}

export const defaultNamespace = "default";

const names = optionNames<Partition>({ namespace: true, userId: true });

// The keys of partitions that were made here: their ids were checked, and cannot change. Every call gets one, and asks for
// its key.
const keys = new WeakMap<object, string>();

/**
 * Makes a partition of checked ids.
 *
 * @throws FluxTypeError `invalid_user_id` when `userId` is neither null nor a string; undefined is not null
 * @throws FluxError `invalid_user_id` or `invalid_id` when a string is no valid id
 */
export function partition(options: {
  readonly userId: string | null;
  readonly namespace?: string;
}): Partition {
  if (typeof options !== "object" || options === null) {
    throw new FluxTypeError(
      "invalid_argument",
      `A partition is an object with userId, not ${describe(options)}`,
    );
  }
  if (keys.has(options)) return options as Partition;
  checkNames(options, "A partition", names);
  const { userId, namespace = defaultNamespace } = options;
  const partition = Object.freeze({
    namespace: checkId(namespace, "namespace"),
    userId: userId === null ? null : checkId(userId, "userId", "invalid_user_id"),
  });
  keys.set(partition, keyOf(partition));
  return partition;
}

/** One string for one partition, and never the same for two: a JSON array, where null and "null" differ. */
export function partitionKey(partition: Partition): string {
  return keys.get(partition) ?? keyOf(partition);
}

function keyOf({ namespace, userId }: Partition): string {
  return JSON.stringify([namespace, userId]);
}
