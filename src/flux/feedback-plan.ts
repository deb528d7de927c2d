import { FluxError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { insert, type Mutation, patch } from "../store/batch.ts";
import { definePlan } from "../store/plan.ts";
import { get } from "../store/read.ts";

export interface FeedbackInput {
  /** Who says it; null is nobody in particular. */
  readonly caller: string | null;
  /** Trace, grain, and whether it was of use. */
  readonly items: readonly (readonly [traceId: string, grainId: string, useful: boolean])[];
  readonly [key: string]: string | null | readonly (readonly [string, string, boolean])[];
}

/** What became of an item: recorded, the same as before, or the opposite of what was said before. */
export type FeedbackOutcome = 0 | 1 | 2;

/** Records feedback on hits of recalls, one row for each recall, hit and caller. */
export const feedbackPlan = definePlan({
  name: "flux-feedback",
  module: import.meta.url,
  reads: ({ caller, items }: FeedbackInput) =>
    items.flatMap(
      ([traceId, grainId]) =>
        [
          get("trace", traceId),
          get("grain", grainId),
          get("feedback", rowId(traceId, grainId, caller)),
        ] as const,
    ),
  decide({ caller, items }, rows) {
    const said = new Map<string, { readonly before: boolean | undefined; readonly useful: boolean }>();
    const result = items.map(([traceId, grainId, useful], i): FeedbackOutcome => {
      const [trace, grain, row] = [rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]];
      if (trace === undefined || !("hits" in trace)) throw noSuchTrace();
      if (trace.caller !== undefined && trace.caller !== caller) throw foreign();
      if (grain === undefined || !trace.hits.some((hit) => hit.grainId === grainId)) throw noSuchHit();
      const id = rowId(traceId, grainId, caller);
      const before = row !== undefined && "useful" in row ? row.useful : undefined;
      const last = said.get(id)?.useful ?? before;
      said.set(id, { before, useful });
      if (last === undefined) return 0;
      return last === useful ? 1 : 2;
    });
    return { mutations: mutationsOf(caller, items, said), result };
  },
});

function mutationsOf(
  caller: string | null,
  items: FeedbackInput["items"],
  said: ReadonlyMap<string, { readonly before: boolean | undefined; readonly useful: boolean }>,
): Mutation[] {
  const left = new Map(said);
  return items.flatMap(([traceId, grainId]): Mutation[] => {
    const id = rowId(traceId, grainId, caller);
    const one = left.get(id);
    left.delete(id);
    if (one === undefined || one.before === one.useful) return [];
    if (one.before !== undefined) return [patch("feedback", id, { useful: one.useful })];
    const value = { traceId, grainId, useful: one.useful, ...(caller === null ? {} : { caller }) };
    return [insert("feedback", value, { id })];
  });
}

/** Follows from what the row is about, so that there is one. */
function rowId(traceId: string, grainId: string, caller: string | null): string {
  return base32(digest("feedback", JSON.stringify([traceId, grainId, caller])).subarray(0, 16));
}

function noSuchTrace(): FluxError {
  return new FluxError("not_found", "There is no such recall, or no trace of it is kept any more", {
    hint: "Give the traceId of a result. Traces expire, an erasure in the partition takes them, and those of another process are written half a second later.",
  });
}

function noSuchHit(): FluxError {
  return new FluxError("not_found", "This is no hit of the recall, or it is not there any more", {
    hint: "Give the id of one of the best hits: a trace keeps 15 at least.",
  });
}

function foreign(): FluxError {
  return new FluxError("forbidden", "The recall was another caller's", {
    hint: "Feedback is given by whoever asked: use a handle with the same caller.",
  });
}
