import type { Claim } from "../facts/claim.ts";
import type { ClaimResult } from "../facts/claim-result.ts";
import type { Fact } from "../facts/fact.ts";
import type { FactChanges, FactRetractOptions, FactUpdateOptions, FactWriteOptions } from "../facts/facts.ts";
import { presentOf } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { FactVersion } from "../model/fact.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import type { Stored } from "../model/record.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { checkKnown, checkSignal, checkString, checkTime } from "./check-options.ts";
import { commitClaims } from "./commit-claims.ts";
import { defined } from "./draft.ts";
import { factNames } from "./fact-option-names.ts";
import { type FactSource, getFact, readThread, readVersion } from "./facts-query.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { digestOf } from "./request-digest.ts";
import type { Scope } from "./scope.ts";

/** Erases all versions of a fact. */
export async function deleteFact(
  parts: FluxParts,
  { partition }: Scope,
  id: string,
  options: FactWriteOptions,
): Promise<ErasureReceipt> {
  const { ledger } = parts;
  const { operation = randomId(parts.randomness), signal } = checkKnown(options, names.write);
  checkId(operation, "operation");
  checkSignal(signal);
  const versions = await readThread({ ledger, partition }, id, { signal });
  const refs = versions.map((version) => ({ kind: "fact", id: version.id }));
  if (refs.length > 0) return ledger.erase(partition, { refs, operation }, { signal });
  // A retry of what erased it: nothing says any more which fact it was.
  const done = await ledger.erasure(partition, operationKey(partition, operation), { signal });
  if (done !== undefined) return done;
  throw noSuchFact();
}

function noSuchFact(): FluxError {
  return new FluxError("not_found", "There is no fact with this id", {
    hint: "Give the id of a fact or of one of its versions, as add, query and recall return them.",
  });
}

export async function addClaims(
  parts: FluxParts,
  scope: Scope,
  claims: readonly Claim[],
  options: FactWriteOptions,
): Promise<readonly ClaimResult[]> {
  const { operation = randomId(parts.randomness), signal } = checkKnown(options, names.write);
  checkId(operation, "operation");
  checkSignal(signal);
  return commitClaims(parts, scope, claims, { operation, now: presentOf(parts.clock), signal });
}

/** Times that another change may come between before a correction gives up. */
const attempts = 8;

/** Corrects a fact: what the changes leave out is as in the version that is there at the commit. */
export async function updateFact(
  parts: FluxParts,
  scope: Scope,
  id: string,
  given: FactChanges,
  options: FactUpdateOptions,
): Promise<Fact> {
  const { operation = randomId(parts.randomness), ifVersion, signal } = checkKnown(options, factNames.update);
  const changes = checkKnown(given, factNames.changes, "changes");
  checkId(operation, "operation");
  checkSignal(signal);
  if (ifVersion !== undefined) checkId(ifVersion, "ifVersion");
  if (Object.values(changes).every((change) => change === undefined))
    throw new FluxError("invalid_argument", "changes must name something to change");
  const request = digestOf("update fact", id, changes, ifVersion ?? null);
  for (let attempt = 1; ; attempt++) {
    const version = await readMeant({ ...parts, ...scope }, id, { signal });
    const expected = ifVersion !== undefined ? [ifVersion] : version.status === "current" ? [version.id] : [];
    const call = { operation, request, expected, now: presentOf(parts.clock), signal };
    try {
      const [result] = await commitClaims(parts, scope, [correction(version, changes)], call);
      return await changed(parts, scope, version, result, { signal });
    } catch (error) {
      const overtaken = FluxError.isInstance(error) && error.code === "conflict";
      if (!overtaken || ifVersion !== undefined || attempt === attempts) throw error;
    }
  }
}

function correction(version: Stored<FactVersion>, changes: FactChanges): Claim {
  const { factId, subject, predicate, object, affirmed, confidence, validFrom, validUntil } = version;
  return {
    ...{ factId, subject, predicate, object, affirmed, confidence, validFrom, validUntil },
    ...defined({ ...changes }),
    ...{ change: "correct", reason: "corrected" },
  };
}

/** Takes a fact back, or ends it. */
export async function retractFact(
  parts: FluxParts,
  scope: Scope,
  id: string,
  options: FactRetractOptions,
): Promise<Fact> {
  const {
    operation = randomId(parts.randomness),
    at,
    reason,
    signal,
  } = checkKnown(options, factNames.retract);
  checkId(operation, "operation");
  checkSignal(signal);
  if (at !== undefined) checkTime(at, "at");
  if (reason !== undefined) checkString(reason, "reason");
  const version = await readMeant({ ...parts, ...scope }, id, { signal });
  const claim = retraction(version, at, reason ?? "retracted");
  const request = digestOf("retract fact", id, at ?? null, reason ?? null);
  const call = { operation, request, now: presentOf(parts.clock), signal };
  const [result] = await commitClaims(parts, scope, [claim], call);
  return changed(parts, scope, version, result, { signal });
}

function retraction(version: Stored<FactVersion>, at: number | undefined, reason: string): Claim {
  const { factId, subject, predicate, object, affirmed, validFrom, validUntil } = version;
  const meant = { factId, subject, predicate, object, affirmed, reason };
  if (at === undefined) return { ...meant, change: "retract" };
  if (validFrom !== undefined && at <= validFrom.at)
    throw new FluxError("invalid_argument", "at must be later than the moment since when the fact holds", {
      hint: "Without `at` it never held.",
    });
  const until = { at, precision: "instant" } as const;
  // Of two ends the first one counts, unless the later one corrects it.
  if (validUntil !== undefined && at > validUntil.at)
    return { ...correction(version, { validUntil: until }), reason };
  return { ...meant, change: "end", validUntil: until };
}

/** The newest version of the fact that is meant, by its id or that of any version. @throws FluxError `not_found` */
async function readMeant(source: FactSource, id: string, options: CallOptions): Promise<Stored<FactVersion>> {
  const version = await readVersion(source, id, options);
  const newest = version?.id === id ? await readVersion(source, version.factId, options) : version;
  if (newest === undefined) throw noSuchFact();
  return newest;
}

/** The fact as it is now. @throws FluxError `not_found` for one that is not believed any more, so that nothing was changed */
async function changed(
  parts: FluxParts,
  scope: Scope,
  { factId, status }: Stored<FactVersion>,
  result: ClaimResult | undefined,
  options: CallOptions,
): Promise<Fact> {
  const fact = await getFact({ ...parts, ...scope }, factId, options);
  if (fact === undefined || (result?.outcome === "ignored" && status !== "current")) throw noSuchFact();
  return fact;
}
