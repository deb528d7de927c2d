import { describe, FluxError, FluxTypeError } from "./errors.ts";
import { base32, digest } from "./hash.ts";
import { type Partition, partitionKey } from "./partition.ts";
import { isStorable, utf8Length } from "./unicode.ts";

/** The longest id, in UTF-8 bytes. */
export const maxIdBytes = 512;

/**
 * Returns the value if it is a valid id: a string of 1 to 512 UTF-8 bytes of well-formed Unicode without NUL. Ids are
 * compared byte for byte and never normalised, so `*`, `%`, `é` in its two forms, and emoji are ids like any other.
 *
 * @param name what the id is called in the error's message
 * @throws FluxTypeError (`invalid_id`, or the given code) when it is no string
 * @throws FluxError with the same code when it is empty, too long or malformed
 */
export function checkId(
  value: unknown,
  name: string,
  code: "invalid_id" | "invalid_user_id" = "invalid_id",
): string {
  if (typeof value !== "string") {
    throw new FluxTypeError(code, `${name} must be a string, not ${describe(value)}`);
  }
  const problem = idProblem(value);
  if (problem !== undefined) throw new FluxError(code, `${name} ${problem}`);
  return value;
}

/** What is wrong with a string as an id, or undefined. */
export function idProblem(value: string): string | undefined {
  if (value === "") return "must not be empty";
  if (!isStorable(value)) return "must be well-formed Unicode without NUL";
  // A string of n units has at least n bytes, so the exact count is needed for the rest only.
  if (value.length > maxIdBytes || utf8Length(value) > maxIdBytes)
    return `must be at most ${maxIdBytes} UTF-8 bytes`;
  return undefined;
}

/** The key under which an operation of a partition is remembered: 128 bits of a SHA-256, as 26 characters. */
export function operationKey(partition: Partition, operation: string): string {
  return base32(digest(partitionKey(partition), operation).subarray(0, 16));
}

/**
 * The id of the record number `ordinal` (from 0) that an operation inserts. It follows from the operation alone, so a
 * retry names the same record, whenever it comes.
 */
export function recordId(partition: Partition, operation: string, ordinal: number): string {
  return derivedId(operationKey(partition, operation), ordinal);
}

/** {@link recordId} for a known operation key. */
export function derivedId(key: string, ordinal: number): string {
  return `${key}-${ordinal.toString(36)}`;
}

/** A source of random bytes; injected, so that a test or a replay can repeat a run. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

export const systemRandomness: Randomness = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** A new random id: 128 bits, 26 characters. */
export function randomId(randomness: Randomness = systemRandomness): string {
  return base32(randomness.bytes(16));
}
