import type { Facts } from "../facts/facts.ts";
import { later } from "./later.ts";

/** The facts of a memory that is opened by the first call. */
export function laterFacts(
  run: <R>(call: (facts: Facts) => Promise<R>, options: unknown) => Promise<R>,
): Facts {
  return later<Facts>(run, {
    ...{ add: true, query: true, list: true, count: true, get: true, history: true, recall: true },
    ...{ graph: true, update: true, retract: true, delete: true },
  });
}
