import type { Provenance } from "../model/record.ts";

const levels: Readonly<Record<Provenance, number>> = {
  user_stated: 3,
  external_source: 2,
  ai_stated: 1,
  ai_inferred: 0,
};

/** Below this confidence a claim is a guess, whoever makes it. */
const guess = 0.5;

/**
 * How much who says something knows of it, 0 to 3. What the user states counts more than a document or a tool, that more than what an
 * assistant says, and that more than a guess. A claim never puts an end to one of a higher authority.
 */
export function authorityOf(provenance: Provenance, confidence: number): number {
  return confidence < guess ? levels.ai_inferred : levels[provenance];
}

/**
 * Confidence in what several have said: 1 - (1 - a)(1 - b)…, the chance that not all of them are wrong if each is wrong on its own
 * ("noisy or", Pearl, Probabilistic Reasoning in Intelligent Systems, 1988, section 4.3.2). Rounded to six places, so that the order
 * of its factors makes no difference.
 */
export function combinedConfidence(confidences: readonly number[]): number {
  const doubt = confidences.reduce((product, confidence) => product * (1 - confidence), 1);
  return Math.round((1 - doubt) * 1e6) / 1e6;
}
