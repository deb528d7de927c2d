import { base32, digest } from "../model/hash.ts";
import { canonicalJson } from "../model/json.ts";
import type { Scope } from "./scope.ts";
import type { StoreItem } from "./store-items.ts";

/** Grows if what is digested ever has to change, so that it is seen to be another form and not another request. */
const format = 1;

/**
 * What a retry is compared with: the labels and items as the caller gave them. Nothing that this package makes of them goes in,
 * such as defaults or normalised texts, so that a later version knows the calls of an earlier one.
 *
 * @param items checked, that is JSON but for properties that are undefined
 */
export function requestDigest({ sessionId, agentId }: Scope, items: readonly StoreItem[]): string {
  return digestOf({ sessionId, agentId }, items);
}

/** What a retry of another call is compared with: what was called and given, JSON but for what is undefined. */
export function digestOf(...given: readonly unknown[]): string {
  return base32(digest(canonicalJson([format, ...given])).subarray(0, 20));
}
