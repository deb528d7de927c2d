import type { StandIn } from "./worker-arguments.ts";
import type { ErrorMessage } from "./worker-errors.ts";

/** The calls that cross to the worker thread, each with the place of the argument that may hold an AbortSignal. */
export const signalArguments = {
  capabilities: 0,
  append: 2,
  update: 2,
  read: 2,
  index: 2,
  partitions: 0,
  setPolicy: 2,
  erase: 2,
  purge: 2,
  undo: 2,
  purged: 2,
  erasure: 2,
  verify: 2,
  maintain: 0,
  "spaces.list": 0,
  "spaces.declare": 1,
  "spaces.activate": 1,
  "spaces.drop": 1,
  "changes.head": 0,
  "changes.read": 0,
  "changes.wait": 0,
  "jobs.claim": 0,
  "jobs.complete": 1,
  "jobs.fail": 1,
  "jobs.extend": 2,
  "jobs.list": 1,
  "jobs.count": 0,
  "jobs.revive": 2,
} as const;

export type Method = keyof typeof signalArguments;

/** What the thread needs to know to open the ledger. */
export interface WorkerSettings {
  readonly path: string;
  readonly busyTimeout: number;
  readonly indexMemory: number | undefined;
  readonly changeRetention: number | undefined;
}

export interface Call {
  readonly type: "call";
  readonly id: number;
  readonly method: Method;
  readonly arguments: unknown[];
  readonly standIns: readonly StandIn[];
  /** The plan of an update, in the place of the argument's own. */
  readonly plan?: PlanName | undefined;
  /** The caller's clock. */
  readonly now: number;
  /** Whether an `abort` with this id may follow. */
  readonly abortable: boolean;
}

export type Request = Call | { readonly type: "abort"; readonly id: number } | { readonly type: "close" };

export type Reply =
  | { readonly type: "ready" }
  | { readonly type: "value"; readonly id: number; readonly value: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: ErrorMessage }
  | { readonly type: "closed"; readonly error?: ErrorMessage };

/** A plan by name, since functions cannot cross: the thread imports the module that exports it. */
export interface PlanName {
  readonly module: string;
  readonly name: string;
}
