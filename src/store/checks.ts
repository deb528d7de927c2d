import { FluxError } from "../model/errors.ts";
import type { ErasureScope, PartitionPolicy } from "./ledger.ts";
import { maxPage } from "./translate.ts";

export function checkLimit(limit: unknown): number {
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= maxPage) return limit;
  throw new FluxError("invalid_argument", `limit must be a whole number from 1 to ${maxPage}`);
}

export function checkDuration(value: unknown, name: string, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  throw new FluxError("invalid_argument", `${name} must be a whole number of milliseconds from ${least}`);
}

export function checkPolicy(policy: PartitionPolicy): PartitionPolicy {
  const known = ["maxRecords", "maxBytes", "ttl"];
  for (const [key, value] of Object.entries(policy ?? {})) {
    if (!known.includes(key)) {
      throw new FluxError("invalid_argument", "A policy has no such property", {
        hint: `Known: ${known.join(", ")}.`,
      });
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new FluxError("invalid_argument", `policy.${key} must be a whole number from 0`);
    }
  }
  return Object.fromEntries(Object.entries(policy ?? {}).filter(([, value]) => value !== undefined));
}

export function checkScope(scope: object): ErasureScope {
  const [property, ...more] = Object.keys(scope);
  const known = ["refs", "sessionId", "everything"];
  const wrong = new FluxError(
    "invalid_argument",
    "An erasure takes exactly one of refs, sessionId and everything: true",
  );
  if (property === undefined || more.length > 0 || !known.includes(property)) throw wrong;
  if ("everything" in scope && scope.everything !== true) throw wrong;
  if ("refs" in scope && !Array.isArray(scope.refs)) throw wrong;
  return scope as ErasureScope;
}
