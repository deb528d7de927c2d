import { checkKnown, checkMilliseconds, checkSignal } from "../flux/check-options.ts";
import { Flux } from "../flux/flux.ts";
import type { FeedbackResult, ServedMemory } from "../flux/flux-memory.ts";
import { names as sdkNames } from "../flux/option-names.ts";
import type { ScopeOptions } from "../flux/scope.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { optionNames } from "../model/options.ts";
import { partition } from "../model/partition.ts";
import type { CallOptions } from "../store/driver.ts";
import { callerOf } from "./callers.ts";
import { Config } from "./config.ts";
import { EventHub } from "./event-hub.ts";
import { FeedbackDebt } from "./feedback-debt.ts";
import { fluxOptionsOf } from "./flux-options.ts";
import { FluxStore } from "./flux-store.ts";
import { onboarding } from "./onboarding.ts";
import { OpenCalls } from "./open-calls.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { ReadSlots } from "./read-slots.ts";
import { scopeNames } from "./scope-names.ts";
import { ServiceMemory } from "./service-memory.ts";
import { ServiceMonitor } from "./service-monitor.ts";
import type { ServiceParts } from "./service-parts.ts";
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
import { WriteBacklog } from "./write-backlog.ts";

/** Milliseconds; timers cannot wait for longer than 24 days. */
const longestTimeout = 20 * 24 * 3_600_000;

const names = {
  service: optionNames<FluxServiceOptions>({ config: true }),
  stop: optionNames<StopOptions>({ timeout: true }),
};

/**
 * A memory as a service: the SDK's memory with an identity for each caller, limits, and feedback that is asked for. What REST,
 * MCP and the command line share.
 */
export class FluxService implements AsyncDisposable {
  readonly config: Config;
  readonly #store: FluxStore;
  readonly #parts: ServiceParts;
  readonly #monitor: ServiceMonitor;
  #flux: Flux | undefined;
  #started: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /**
   * @param store stays open when the service stops
   * @throws FluxTypeError or FluxError `invalid_argument`
   */
  constructor(store: FluxStore, options: FluxServiceOptions = {}) {
    const { config = new Config() } = checkKnown(options, names.service);
    if (!(store instanceof FluxStore))
      throw new FluxTypeError("invalid_argument", `store must be a FluxStore, not ${describe(store)}`);
    if (!(config instanceof Config))
      throw new FluxTypeError("invalid_argument", `config must be a Config, not ${describe(config)}`);
    this.config = config;
    this.#store = store;
    this.#parts = partsOf(config, store);
    this.#monitor = new ServiceMonitor(this.#parts);
  }

  /**
   * Opens the memory and begins to work in the background. May be called again, but a service that was stopped does not start
   * anew.
   *
   * @throws FluxError `closed` after `stop`, and what a store can fail with; then `start` may be tried again
   */
  start(): Promise<void> {
    if (this.#stopped !== undefined)
      return Promise.reject(new FluxError("closed", "A service that was stopped does not start again"));
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  async #start(): Promise<void> {
    const { config, clock, calls } = this.#parts;
    const flux = await Flux.open(this.#store.ledger, { clock, ...fluxOptionsOf(config) });
    this.#flux = flux;
    calls.open();
    this.#monitor.start(flux);
  }

  /**
   * Takes no more calls, waits for those under way, and ends the work in the background. The store stays open. Safe to call
   * twice.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`
   */
  async stop(options: StopOptions = {}): Promise<void> {
    const { timeout = 10_000 } = checkKnown(options, names.stop);
    checkMilliseconds(timeout, "timeout", 0, longestTimeout);
    this.#stopped ??= this.#stop(timeout);
    return this.#stopped;
  }

  async #stop(timeout: number): Promise<void> {
    const { calls, events } = this.#parts;
    const idle = calls.close();
    // Whoever called `start` is told.
    await this.#started?.catch(() => undefined);
    await endsWithin(timeout, idle);
    calls.giveUp();
    events.end();
    // Writes the last traces. A store that hangs must not keep the process from ending.
    await endsWithin(Math.max(timeout, 1000), Promise.all([this.#monitor.stop(), this.#flux?.close()]));
  }

  /**
   * The memory of a scope, with the rules of the service around each call: `rate_limited` and `overloaded` writes, `too_large`
   * batches, recalls that wait for their turn and are refused with `feedback_required`, and `closed` unless the service runs.
   * Texts are `ai_stated` unless they say otherwise; recalls return TOP_K hits and purges can be undone for
   * PURGE_UNDO_WINDOW_HOURS unless the call says otherwise.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_user_id`; `closed`
   */
  for(scope: ServiceScope = {}): ServedMemory {
    const { caller: given, ...rest } = checkKnown(scope, scopeNames, "A scope");
    const caller = callerOf(typeof given === "string" ? { callerId: given } : given);
    // A user id that is undefined is refused: it is a mistake rather than nobody.
    const whose: ScopeOptions = { userId: null, ...rest, caller: caller.id };
    const memory = this.#open().for(whose);
    const { userId, namespace } = whose;
    return new ServiceMemory(this.#parts, memory, {
      partition: partition({ userId, ...(namespace === undefined ? {} : { namespace }) }),
      caller,
    });
  }

  /** Stores one text, and returns the id of its first grain, as recalls return it. Fails as `storeBatch` of `for(scope)`. */
  async store(text: string, options: ServiceStoreOptions = {}): Promise<string> {
    const [scope, rest] = splitScope(options);
    const { grainIds } = await this.for(scope).store(text, rest);
    return grainIds[0] as string;
  }

  /** Finds what is remembered about a query. Fails as `recall` of `for(scope)`. */
  async retrieve(query: string, options: RetrieveOptions = {}): Promise<RetrieveResult> {
    const [scope, rest] = splitScope(options);
    const { hits, traceId, ...found } = await this.for(scope).recall(query, rest);
    return {
      // The configuration has traces kept for a day at least.
      traceId: traceId as string,
      grains: hits.map(({ text, ...hit }) => ({ ...hit, content: text })),
      ...found,
    };
  }

  /** Says whether a grain that a recall returned was of use. Fails as `feedback` of `for(scope)`. */
  async feedback(traceId: string, grainId: string, feedback: ServiceFeedback): Promise<FeedbackResult> {
    const [scope, rest] = splitScope(feedback);
    return this.for(scope).feedback(traceId, grainId, rest);
  }

  /** What a client needs to know to use this memory well. */
  async onboard(options: CallOptions = {}): Promise<Onboarding> {
    const { memory } = await this.status(options);
    return onboarding(this.config, memory?.extraction);
  }

  /** Whether the service is well. Answers also before the start, after the stop and when the store does not. */
  async health(options: CallOptions = {}): Promise<ServiceHealth> {
    return this.#monitor.health(signalOf(options));
  }

  /** The health, and what there is to know of the memory as a whole. */
  async status(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.#monitor.status(signalOf(options));
  }

  /** What the service does and refuses from this call on, until the signal is aborted or the service stopped. */
  events(options: CallOptions = {}): AsyncIterableIterator<ServiceEvent> {
    return this.#parts.events.listen(signalOf(options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #open(): Flux {
    this.#parts.calls.checkOpen();
    return this.#flux as Flux;
  }
}

function partsOf(config: Config, { clock }: FluxStore): ServiceParts {
  const debt = new FeedbackDebt({
    clock,
    grace: config.FEEDBACK_ENFORCEMENT_GRACE_SECONDS * 1000,
    maxBlock: config.FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS * 1000,
  });
  return {
    ...{ config, clock },
    calls: new OpenCalls(),
    reads: new ReadSlots(config.READ_WORKERS),
    writes: new WriteBacklog(config.MAX_WRITE_QUEUE_DEPTH),
    limiter: new RateLimiter({ limit: config.MAX_GRAINS_PER_MINUTE }),
    debt: config.FEEDBACK_ENFORCEMENT_ENABLED ? debt : undefined,
    events: new EventHub(),
  };
}

function signalOf(options: CallOptions): AbortSignal | undefined {
  return checkSignal(checkKnown(options, sdkNames.call).signal);
}

/** Parts options into whose memory it is, and the rest. What is no object is left for the memory to refuse. */
function splitScope<T extends ServiceScope>(options: T): [ServiceScope, Omit<T, keyof ServiceScope>] {
  if (!isPlainObject(options)) return [{}, options];
  const { scope = [], rest = [] } = Object.groupBy(Object.entries(options), ([name]) =>
    scopeNames.has(name) ? "scope" : "rest",
  );
  return [Object.fromEntries(scope), Object.fromEntries(rest) as Omit<T, keyof ServiceScope>];
}

async function endsWithin(timeout: number, ending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, timeout);
  });
  try {
    await Promise.race([ending, late]);
  } finally {
    clearTimeout(timer);
  }
}
