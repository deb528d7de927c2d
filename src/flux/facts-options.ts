import { canonicalKey, canonicalPredicate } from "../facts/canonical.ts";
import type { FactConditions, FactTimes } from "../facts/facts.ts";
import type { Moments } from "../facts/moments.ts";
import { FluxError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { checkBoolean, checkShare, checkString, checkTime } from "./check-options.ts";
import type { VersionConditions } from "./facts-walk.ts";

/**
 * The two times that a question is about. Who asks what was believed at a moment wants to know what held then.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`
 */
export function momentsOf({ asOf, knownAt, history = false }: FactTimes, now: number): Moments {
  if (asOf !== undefined) checkTime(asOf, "asOf");
  if (knownAt !== undefined) checkTime(knownAt, "knownAt");
  checkBoolean(history, "history");
  if (history && asOf !== undefined)
    throw new FluxError("invalid_argument", "history is whatever the world time, and asOf is one", {
      hint: "Give one of them. knownAt goes with either.",
    });
  return { asOf: history ? undefined : (asOf ?? knownAt ?? now), knownAt };
}

/**
 * Conditions as versions are compared with them, but for further names of the subject.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`
 */
export function conditionsOf(given: FactConditions, now: number): VersionConditions {
  const { subject, predicate, object, affirmed, minConfidence, agentId, sessionId } = given;
  if (affirmed !== undefined) checkBoolean(affirmed, "affirmed");
  if (minConfidence !== undefined) checkShare(minConfidence, "minConfidence");
  return {
    ...momentsOf(given, now),
    subjectKeys: subject === undefined ? undefined : [keyOf(subject, "subject")],
    predicate: predicate === undefined ? undefined : canonicalPredicate(nonBlank(predicate, "predicate")),
    objectKey: object === undefined ? undefined : keyOf(object, "object"),
    ...{ affirmed, minConfidence },
    agentId: agentId === undefined ? undefined : checkId(agentId, "agentId"),
    sessionId: sessionId === undefined ? undefined : checkId(sessionId, "sessionId"),
  };
}

/** @throws FluxError `invalid_argument` unless it is a number from 0 */
export function checkMinScore(value: unknown): void {
  if (typeof value === "number" && value >= 0) return;
  throw new FluxError("invalid_argument", "minScore must be a number from 0");
}

function keyOf(value: unknown, name: string): string {
  return canonicalKey(nonBlank(value, name));
}

function nonBlank(value: unknown, name: string): string {
  const text = checkString(value, name);
  if (text.trim() !== "") return text;
  throw new FluxError("invalid_argument", `${name} must not be blank`);
}
