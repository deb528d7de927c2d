import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import { checkNames } from "../model/options.ts";
import { type Ref, timestampSchema } from "../model/record.ts";
import type { ErasureScope, PurgeScope } from "./erasures.ts";
import type { JobLease, PartitionPolicy } from "./ledger.ts";
import { names } from "./option-names.ts";
import type { AnyPlan } from "./plan.ts";
import { maxPage, tableOf } from "./translate.ts";

/** Returns the value if it has properties to look at, and none but those with these names. */
export function checkObject<T>(value: T, name: string, names?: ReadonlySet<string>): T & object {
  if (typeof value === "object" && value !== null) {
    if (names !== undefined) checkNames(value, name, names);
    return value;
  }
  throw new FluxTypeError("invalid_argument", `${name} must be an object, not ${describe(value)}`);
}

/** Jobs that one commit completes behind another one. */
const mostBehind = 100;

/** Returns the job if it can be looked for: ids and a lease, which are otherwise compared with what is stored. */
export function checkLease<T extends JobLease>(job: T): T {
  checkId(checkObject(job, "job").id, "job.id");
  checkId(job.lease, "job.lease");
  const { behind = [] } = job;
  if (!Array.isArray(behind))
    throw new FluxTypeError("invalid_argument", `job.behind must be a list, not ${describe(behind)}`);
  if (behind.length > mostBehind)
    throw new FluxError("too_large", `A commit completes at most ${mostBehind} jobs behind its own`);
  for (const id of behind) checkId(id, "job.behind");
  return { ...job };
}

export function checkPlan<P extends AnyPlan>(plan: P): P {
  const { name, reads, decide } = checkObject(plan, "plan") as Partial<AnyPlan>;
  if (typeof name === "string" && typeof reads === "function" && typeof decide === "function") return plan;
  throw new FluxTypeError("invalid_argument", "plan must have a name, reads and decide", {
    hint: "Make it with definePlan.",
  });
}

/** What a plan decided. A promise, a list or a misspelt property would otherwise decide nothing, without a word. */
export function checkDecision<D>(decision: D): D {
  if (!isPlainObject(decision)) {
    throw new FluxTypeError(
      "invalid_argument",
      `A plan must decide on a plain object, not ${describe(decision)}`,
      { hint: "decide returns { mutations, jobs, result } at once; it cannot wait for anything." },
    );
  }
  checkNames(decision, "The decision of a plan", names.decision);
  return decision;
}

export function checkLimit(limit: unknown): number {
  return checkWhole(limit, "limit", 1, maxPage);
}

/** The longest duration, about a hundred years: added to any present it is a moment that can be recorded. */
const maxDuration = 100 * 366 * 24 * 3_600_000;

export function checkDuration(value: unknown, name: string, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= maxDuration) return;
  throw new FluxError(
    "invalid_argument",
    `${name} must be a whole number of milliseconds from ${least} to ${maxDuration}`,
  );
}

export function checkPolicy(policy: PartitionPolicy): PartitionPolicy {
  if (!isPlainObject(policy)) {
    throw new FluxTypeError("invalid_argument", `A policy must be a plain object, not ${describe(policy)}`);
  }
  checkNames(policy, "policy", names.policy);
  for (const [key, value] of Object.entries(policy)) {
    if (key === "ttl" && value !== undefined) checkDuration(value, "policy.ttl", 0);
    else if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= 0)) {
      throw new FluxError("invalid_argument", `policy.${key} must be a whole number from 0`);
    }
  }
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
}

export function checkRef(ref: Ref): Ref {
  return { kind: tableOf(checkObject(ref, "ref").kind).name, id: checkId(ref.id, "id") };
}

/** Returns the signal if it can be asked and listened to. */
export function checkSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw new FluxTypeError("invalid_argument", "signal must be an AbortSignal");
}

export function checkProbes(probes: unknown): readonly string[] {
  if (Array.isArray(probes) && Array.from(probes).every((probe) => typeof probe === "string"))
    return [...probes];
  throw new FluxTypeError("invalid_argument", "probes must be a list of strings");
}

export function checkMoment(value: unknown, name: string): number {
  const { success, data } = timestampSchema.safeParse(value);
  if (success) return data;
  throw new FluxTypeError("invalid_argument", `${name} must be a moment in whole milliseconds`);
}

/** What can be hidden: all that has a time to live. Everything was refused by its name. */
export function checkPurgeScope(given: object): PurgeScope {
  const scope = checkScope(given) as PurgeScope;
  const fixed = "refs" in scope ? scope.refs.find(({ kind }) => !tableOf(kind).expires) : undefined;
  if (fixed === undefined) return scope;
  throw new FluxError("invalid_argument", `A ${fixed.kind} cannot be purged`, {
    hint: "Remove it in a plan, or erase it.",
  });
}

export function checkScope(given: object): ErasureScope {
  const { request, ...scope } = given as { readonly request?: unknown };
  const [property, ...more] = Object.keys(scope);
  const known = ["refs", "sessionId", "everything"];
  const wrong = new FluxError(
    "invalid_argument",
    "The scope of an erasure or a purge is exactly one of refs, sessionId and, to erase, everything: true; request belongs to refs",
  );
  if (property === undefined || more.length > 0 || !known.includes(property)) throw wrong;
  if ("everything" in scope && scope.everything !== true) throw wrong;
  if ("refs" in scope) {
    if (!Array.isArray(scope.refs) || !(request === undefined || typeof request === "string")) throw wrong;
    // A copy: what is erased was decided when it was asked for.
    const refs = Array.from(scope.refs as readonly Ref[], checkRef);
    return request === undefined ? { refs } : { refs, request };
  }
  if ("request" in given) throw wrong;
  if ("sessionId" in scope) checkId(scope.sessionId, "sessionId");
  return scope as ErasureScope;
}
