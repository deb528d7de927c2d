import type { FluxRecallResult, FluxStatus } from "../flux/flux.ts";
import type { FeedbackOptions, FluxRecallOptions, StoreOptions } from "../flux/flux-memory.ts";
import type { ScopeOptions } from "../flux/scope.ts";
import type { FailureCause } from "../model/failure.ts";
import type { Partition } from "../model/partition.ts";
import type { RecallHit } from "../recall/result.ts";
import type { CallerOptions, CallerRole } from "./callers.ts";
import type { Config } from "./config.ts";
import type { OperatingMode } from "./config-keys.ts";

export interface FluxServiceOptions {
  /** Default: `new Config()`. */
  readonly config?: Config | undefined;
}

/** Whose memory it is, and who calls. */
export interface ServiceScope extends Omit<ScopeOptions, "userId" | "caller"> {
  /** Default `null`, the anonymous user; undefined is no user id. */
  readonly userId?: string | null;
  /** A caller, or "client:role". Default "anonymous:chat". */
  readonly caller?: CallerOptions | string | undefined;
}

export type ServiceStoreOptions = StoreOptions & ServiceScope;
export type RetrieveOptions = FluxRecallOptions & ServiceScope;
export type ServiceFeedback = FeedbackOptions & ServiceScope;

/** A memory that was found: a hit of the SDK by the service's names. */
export interface RetrievedGrain extends Omit<RecallHit, "text"> {
  /** What was said, word for word. */
  readonly content: string;
}

export interface RetrieveResult extends Omit<FluxRecallResult, "hits" | "traceId"> {
  /** Names this recall, for feedback. */
  readonly traceId: string;
  /** The best first. */
  readonly grains: readonly RetrievedGrain[];
}

export interface StopOptions {
  /** Milliseconds that calls under way may still take; then they fail with `closed`. Default 10,000. */
  readonly timeout?: number | undefined;
}

/** What a client needs to know to use this memory well. */
export interface Onboarding {
  /** The workflow, as text for a surface that the agent always sees, such as its AGENTS.md. */
  readonly instructions: string;
  readonly operatingMode: OperatingMode;
  /** Name of the language model of `flux_extracts`. */
  readonly model?: string;
  /** Whether it answers; absent while that is not known. */
  readonly modelAvailable?: boolean;
  readonly serverName: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly roles: readonly CallerRole[];
}

/** Something that works worse than it could, while the process itself is well. */
export interface ServiceWarning {
  readonly code: string;
  /** In words, without any stored text. */
  readonly reason: string;
  readonly cause?: FailureCause;
}

export interface ServiceHealth {
  /** About the process: `healthy` while it answers and its store does, whatever there is in the store. */
  readonly status: "healthy" | "unhealthy" | "stopped";
  readonly warnings: readonly ServiceWarning[];
  readonly operatingMode: OperatingMode;
  /** Milliseconds since 1970. Absent before start. */
  readonly startedAt?: number;
  readonly reads: { readonly running: number; readonly waiting: number };
  /** Writes that were taken on and are not done. */
  readonly writes: { readonly waiting: number };
}

export interface ServiceStatus extends ServiceHealth {
  readonly serverName: string;
  readonly config: Config;
  /** Of the memory; absent when the store does not answer or the service does not run. */
  readonly memory?: FluxStatus;
}

/** Something that the service did or refused: who and which, never what it says. */
export interface ServiceEvent {
  readonly type: "stored" | "retrieved" | "feedback" | "refused" | "health";
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly partition?: Partition;
  readonly caller?: string;
  readonly traceId?: string;
  readonly grainIds?: readonly string[];
  /** Of `refused`: the code of the error. */
  readonly code?: string;
  /** Of `health`. */
  readonly health?: ServiceHealth;
}
