import type { Grain } from "../model/grain.ts";
import type { Weights } from "./weights.ts";

/** What a candidate's scores are multiplied with for what it is, whatever is asked: its state, who said it, its importance. */
export function standing(grain: Grain, weights: Weights): number {
  const { status, provenance, importance = 0.5, pinned = false } = grain;
  const byStatus = status === "active" ? 1 : weights[status];
  const byAuthor = provenance === "ai_stated" ? weights.assistant : 1;
  return (
    byStatus * byAuthor * (1 + weights.importance * (2 * importance - 1)) * (pinned ? weights.pinned : 1)
  );
}
