import type { FeedbackResult, FluxMemory } from "../flux/flux-memory.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Config } from "./config.ts";
import type { FluxStore } from "./flux-store.ts";
import type {
  FluxServiceOptions,
  Onboarding,
  RetrieveOptions,
  RetrieveResult,
  ServiceEvent,
  ServiceFeedback,
  ServiceHealth,
  ServiceScope,
  ServiceStatus,
  ServiceStoreOptions,
  StopOptions,
} from "./service-types.ts";

/**
 * A memory as a service: the SDK's memory with an identity for each caller, limits, and feedback that is asked for. What REST,
 * MCP and the command line share.
 */
export declare class FluxService implements AsyncDisposable {
  readonly config: Config;

  constructor(store: FluxStore, options?: FluxServiceOptions);

  /** Opens the memory and begins to work in the background. Once; a service that was stopped does not start again. */
  start(): Promise<void>;

  /**
   * Takes no more calls, waits for those under way, and stops the work in the background. The store stays open. Safe to call
   * twice.
   */
  stop(options?: StopOptions): Promise<void>;

  /**
   * The memory of a scope, with the rules of the service: `rate_limited`, `overloaded`, `too_large` for batches,
   * `feedback_required` of a recall, `closed` unless the service runs. Texts are `ai_stated` unless they say otherwise; `k` is
   * TOP_K and the undo window PURGE_UNDO_WINDOW_HOURS unless a call says otherwise.
   */
  for(scope?: ServiceScope): FluxMemory;

  /** Stores one text, and returns the id of its first grain. */
  store(text: string, options?: ServiceStoreOptions): Promise<string>;

  retrieve(query: string, options?: RetrieveOptions): Promise<RetrieveResult>;

  /** As `feedback` of the SDK. */
  feedback(traceId: string, grainId: string, feedback: ServiceFeedback): Promise<FeedbackResult>;

  /** What a client needs to know to use this memory well. */
  onboard(): Onboarding;

  /** Cheap; answers also before the start and after the stop. */
  health(options?: CallOptions): Promise<ServiceHealth>;

  status(options?: CallOptions): Promise<ServiceStatus>;

  /** What happens from now on, until the signal is aborted or the service stopped. */
  events(options?: CallOptions): AsyncIterable<ServiceEvent>;

  [Symbol.asyncDispose](): Promise<void>;
}
