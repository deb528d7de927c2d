import { FluxError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import type { Stored } from "../model/record.ts";
import type { Trace } from "../model/trace.ts";
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
  reads: ({ items }: FeedbackInput) =>
    items.flatMap(([traceId, grainId]) => [get("trace", traceId), get("grain", grainId)] as const),
  readsNext: ({ caller }, rows) =>
    tracesAmong(rows).flatMap(({ id, hits }) =>
      hits.map(({ grainId }) => get("feedback", rowId(id, grainId, caller))),
    ),
  decide({ caller, items }, rows, { next }) {
    const traces = new Map(tracesAmong(rows).map((trace) => [trace.id, trace]));
    const before = new Map(next.flatMap((row) => (row === undefined ? [] : [[row.id, row.useful] as const])));
    const said = new Map(before);
    const result = items.map(([traceId, grainId, useful], i): FeedbackOutcome => {
      const trace = traces.get(traceId);
      if (trace === undefined) throw noSuchTrace();
      if (trace.caller !== undefined && trace.caller !== caller) throw foreign();
      if (rows[2 * i + 1] === undefined || !trace.hits.some((hit) => hit.grainId === grainId))
        throw noSuchHit();
      const id = rowId(traceId, grainId, caller);
      const last = said.get(id);
      said.set(id, useful);
      if (last === undefined) return 0;
      return last === useful ? 1 : 2;
    });
    const complete = [...traces.values()].filter(
      ({ id, hits, caller: asked = null }) =>
        asked === caller && hits.every(({ grainId }) => said.has(rowId(id, grainId, caller))),
    );
    const mutations = [
      ...rowsOf(caller, items, { before, said }),
      ...complete.flatMap(({ id, feedback }) =>
        feedback === undefined ? [patch("trace", id, { feedback: "complete" })] : [],
      ),
    ];
    return { mutations, result };
  },
});

function tracesAmong(rows: readonly (object | undefined)[]): Stored<Trace>[] {
  const traces = rows.filter((row): row is Stored<Trace> => row !== undefined && "hits" in row);
  return [...new Map(traces.map((trace) => [trace.id, trace])).values()];
}

function rowsOf(
  caller: string | null,
  items: FeedbackInput["items"],
  {
    before,
    said,
  }: { readonly before: ReadonlyMap<string, boolean>; readonly said: ReadonlyMap<string, boolean> },
): Mutation[] {
  const done = new Set<string>();
  return items.flatMap(([traceId, grainId]): Mutation[] => {
    const id = rowId(traceId, grainId, caller);
    const useful = said.get(id);
    if (done.has(id) || useful === undefined || useful === before.get(id)) return [];
    done.add(id);
    if (before.has(id)) return [patch("feedback", id, { useful })];
    return [insert("feedback", { traceId, grainId, useful, ...(caller === null ? {} : { caller }) }, { id })];
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
