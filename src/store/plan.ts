import type { NewJob } from "../model/job.ts";
import type { Json } from "../model/json.ts";
import type { Mutation } from "./batch.ts";
import type { ReadOp, ReadResults } from "./read.ts";

/** What a plan may know besides its reads. */
export interface PlanContext<A = unknown, Next extends readonly unknown[] = readonly unknown[]> {
  /** Record time of the commit. */
  readonly now: number;
  /** `UpdateCall.aside` as it was given. */
  readonly aside: A;
  /** The results of `readsNext`; empty without it. */
  readonly next: ReadResults<Next>;
  /** The id of the insert number `ordinal` (from 0) of this plan's mutations, unless that insert names its own. */
  id(ordinal: number): string;
}

export interface Decision<R extends Json | undefined> {
  readonly mutations?: readonly Mutation[];
  readonly jobs?: readonly NewJob[];
  /** As in `Append.spaces`. */
  readonly spaces?: readonly number[];
  /** Ids and numbers for the caller; kept for retries, at most 131,072 bytes. Never content. */
  readonly result?: R;
}

/**
 * A decision taken inside its transaction. `reads` and `decide` are pure: no await, model, clock or randomness, since they
 * may run again, in another thread, and must decide the same from the same state.
 */
export interface Plan<
  I extends Json,
  Ops extends readonly ReadOp[],
  R extends Json | undefined,
  A = undefined,
  Next extends readonly ReadOp[] = readonly [],
> {
  /** Tells it from other plans: a retry under the same operation id must name the same plan. */
  readonly name: string;
  /** `import.meta.url` of the module that exports the plan, from which a worker thread loads it. */
  readonly module: string;
  reads(input: I, aside: A): Ops;
  /** Reads of what the first ones named, in the same transaction. */
  readsNext?(input: I, rows: ReadResults<Ops>, aside: A): Next;
  decide(input: I, rows: ReadResults<Ops>, context: PlanContext<A, Next>): Decision<R>;
}

// biome-ignore lint/suspicious/noExplicitAny: a plan of any input, reads and result; `unknown` would reject them all
export type AnyPlan = Plan<any, any, any, any, any>;
export type PlanInput<P> = P extends Plan<infer I, infer _Ops, infer _R, infer _A, infer _Next> ? I : never;
export type PlanResult<P> = P extends Plan<infer _I, infer _Ops, infer R, infer _A, infer _Next> ? R : never;
export type PlanAside<P> = P extends Plan<infer _I, infer _Ops, infer _R, infer A, infer _Next> ? A : never;

/**
 * Defines a plan. It must be exported from the module that defines it, so that a worker thread finds it there.
 *
 * @example
 * export const bump = definePlan({
 *   name: "bump",
 *   module: import.meta.url,
 *   reads: ({ id }: { id: string }) => [get("conduit", id)],
 *   decide: ({ id }, [conduit]) => ({ mutations: [patch("conduit", id, { useCount: (conduit?.useCount ?? 0) + 1 })] }),
 * });
 */
export function definePlan<
  I extends Json,
  const Ops extends readonly ReadOp[],
  R extends Json | undefined = undefined,
  A = undefined,
  const Next extends readonly ReadOp[] = readonly [],
>(plan: Plan<I, Ops, R, A, Next>): Plan<I, Ops, R, A, Next> {
  return plan;
}
