import type { Flux, FluxStatus } from "../flux/flux.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import { BackgroundWork } from "./background-work.ts";
import type { ServiceParts } from "./service-parts.ts";
import type { ServiceHealth, ServiceStatus, ServiceWarning } from "./service-types.ts";

/** Milliseconds in which a store must answer to be well. */
const patience = 5000;

/** What was seen of the memory. */
type Look = { readonly memory: FluxStatus } | { readonly failure: FailureCause };

/** Does a service's work in the background, and knows how the service is. */
export class ServiceMonitor {
  readonly #parts: ServiceParts;
  #running: { readonly flux: Flux; readonly work: BackgroundWork; readonly startedAt: number } | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #look: Promise<Look> | undefined;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  start(flux: Flux): void {
    const { config, clock, events } = this.#parts;
    this.#running = { flux, work: new BackgroundWork(flux), startedAt: clock.now() };
    if (config.HEALTH_TICK_MINUTES === 0) return;
    this.#ticks = setInterval(async () => {
      events.emit({ type: "health", at: clock.now(), health: await this.health() });
    }, config.HEALTH_TICK_MINUTES * 60_000);
    this.#ticks.unref();
  }

  /** Resolves when the work that was begun is done. */
  async stop(): Promise<void> {
    clearInterval(this.#ticks);
    await this.#running?.work.stop();
  }

  async health(signal?: AbortSignal): Promise<ServiceHealth> {
    return this.#health(await orAborted(this.#see(), signal));
  }

  async status(signal?: AbortSignal): Promise<ServiceStatus> {
    const { config } = this.#parts;
    const look = await orAborted(this.#see(), signal);
    return {
      ...this.#health(look),
      serverName: config.MCP_SERVER_NAME,
      config,
      ...(look !== undefined && "memory" in look ? { memory: look.memory } : {}),
    };
  }

  #health(look: Look | undefined): ServiceHealth {
    const { config, reads, writes } = this.#parts;
    const failed = look !== undefined && "failure" in look;
    const startedAt = this.#running?.startedAt;
    return {
      status: look === undefined ? "stopped" : failed ? "unhealthy" : "healthy",
      warnings: look === undefined ? [] : this.#warnings(look),
      operatingMode: config.OPERATING_MODE,
      ...(startedAt === undefined ? {} : { startedAt }),
      reads: { running: reads.running, waiting: reads.waiting },
      writes: { waiting: writes.waiting },
    };
  }

  #warnings(look: Look): readonly ServiceWarning[] {
    const warnings: ServiceWarning[] =
      "memory" in look
        ? [...look.memory.degraded]
        : [{ code: "store_unavailable", reason: "The store does not answer", cause: look.failure }];
    const failure = this.#running?.work.failure;
    if (failure !== undefined) {
      const reason = "The work in the background ended with an error, and is taken up again";
      warnings.push({ code: "work_failed", reason, cause: failure });
    }
    return warnings;
  }

  /** One look at a time, however many ask. */
  async #see(): Promise<Look | undefined> {
    const { calls } = this.#parts;
    if (this.#running === undefined || !calls.isOpen) return undefined;
    const { flux } = this.#running;
    this.#look ??= flux
      .status({ signal: AbortSignal.timeout(patience) })
      .then(
        (memory) => ({ memory }),
        (error: unknown) => ({ failure: failureCause(error) }),
      )
      .finally(() => {
        this.#look = undefined;
      });
    return this.#look;
  }
}

/** The promise, unless the signal is aborted before: then its reason. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
