import { setTimeout as delay } from "node:timers/promises";
import { FluxError } from "../../model/errors.ts";
import { connectFlux, type FluxClient } from "../client/connect-flux.ts";
import type { DaemonLog } from "../daemon/daemon-log.ts";
import type { DaemonRecord } from "../daemon/daemon-record.ts";
import { findDaemon, unresponsive } from "../daemon/find-daemon.ts";
import type { Instance } from "../daemon/instance.ts";
import { startDaemon } from "../daemon/start-daemon.ts";

/** Milliseconds in which a daemon that another process starts, or that ends, must come to a state to go on from. */
const patience = 30_000;
const pause = 50;

/** The connection to the daemon of an instance, which is started where it does not run, and found again where it has moved. */
export class DaemonLink {
  readonly #instance: Instance;
  readonly #log: DaemonLog;
  #connection: Promise<FluxClient> | undefined;

  /** @param log told when the daemon was started, or was lost */
  constructor(instance: Instance, log: DaemonLog) {
    this.#instance = instance;
    this.#log = log;
  }

  /**
   * Runs a call on the daemon. Where the daemon has gone, the call is run once more on the one that is there then, or is
   * started: a write in it needs an operation id, so that it has its effect once.
   */
  async use<T>(call: (connection: FluxClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const connection = this.connect();
    try {
      return await call(await connection);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isLost(error)) throw error;
      if (this.#connection === connection) this.#connection = undefined;
      this.#log.error("daemon lost", error);
      return await call(await this.connect());
    }
  }

  /** The daemon, started if need be. All calls at a time share one look. */
  connect(): Promise<FluxClient> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<FluxClient> {
    const { url } = await this.#daemon();
    // What is lost is looked for again, where it may have moved to.
    return connectFlux(url, { retries: 0 });
  }

  async #daemon(): Promise<DaemonRecord> {
    const { name } = this.#instance;
    for (const end = Date.now() + patience; Date.now() < end; await delay(pause)) {
      const found = await findDaemon(this.#instance);
      if (found.state === "running") return found.record;
      if (found.state === "unresponsive") throw unresponsive(this.#instance, found.record);
      // A daemon that is being started or stopped is waited for.
      if (found.state !== "stopped") continue;
      try {
        const record = await startDaemon(this.#instance);
        this.#log.info("daemon started", { pid: record.pid, url: record.url });
        return record;
      } catch (error) {
        // Another process was faster.
        if (!FluxError.isInstance(error) || error.code !== "daemon_running") throw error;
      }
    }
    throw new FluxError(
      "unavailable",
      `The daemon of ${name} neither started nor ended in ${patience / 1000} seconds`,
      {
        hint: `flux status --name ${name} tells about it.`,
        retryable: true,
      },
    );
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }
}

const lost: ReadonlySet<string> = new Set(["unavailable", "closed"]);

function isLost(error: unknown): boolean {
  return FluxError.isInstance(error) && lost.has(error.code);
}
