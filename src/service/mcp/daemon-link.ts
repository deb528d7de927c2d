import { setTimeout as delay } from "node:timers/promises";
import { FluxError } from "../../model/errors.ts";
import { connectFlux, type FluxClient } from "../client/connect-flux.ts";
import type { DaemonLog } from "../daemon/daemon-log.ts";
import type { DaemonRecord } from "../daemon/daemon-record.ts";
import { findDaemon, unresponsive } from "../daemon/find-daemon.ts";
import type { Instance } from "../daemon/instance.ts";
import { programName } from "../daemon/program-name.ts";
import { startDaemon } from "../daemon/start-daemon.ts";

/** Milliseconds in which a daemon that another process starts, or that ends, must come to a state to go on from. */
const patience = 30_000;
const pause = 50;
/** Milliseconds in which a daemon must answer: one on a busy machine is not lost. */
const answerPatience = 10_000;

interface Connection {
  readonly client: FluxClient;
  /** Of the daemon: another one has another. */
  readonly nonce: string;
}

/** The connection to the daemon of an instance, which is started where it does not run, and found again where it has moved. */
export class DaemonLink implements AsyncDisposable {
  readonly #instance: Instance;
  readonly #log: DaemonLog;
  #connection: Promise<Connection> | undefined;

  /** @param log told when a daemon was started, or was lost */
  constructor(instance: Instance, log: DaemonLog) {
    this.#instance = instance;
    this.#log = log;
  }

  /** Finds the daemon, or starts it. Calls do so themselves; this saves the first of them the time. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /**
   * Runs a call on the daemon. Where that has gone, the call is run once more on the one that is there then, or is started: a
   * write in it needs an operation id, so that it has its effect once.
   */
  async use<T>(call: (service: FluxClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const connecting = this.#connect();
    const { client, nonce } = await connecting;
    try {
      return await call(client);
    } catch (error) {
      signal?.throwIfAborted();
      if (!FluxError.isInstance(error) || !ofLostDaemons.has(error.code)) throw error;
      if (this.#connection === connecting) this.#connection = undefined;
      const found = await this.#connect();
      // It is there after all, and said so itself.
      if (found.nonce === nonce) throw error;
      this.#log.error("daemon lost", error);
      return await call(found.client);
    }
  }

  /** All calls at a time share one look. */
  #connect(): Promise<Connection> {
    this.#connection ??= this.#daemon().then(
      ({ url, nonce }) => ({ client: connectFlux(url, { retries: 1 }), nonce }),
      (error: unknown) => {
        this.#connection = undefined;
        throw error;
      },
    );
    return this.#connection;
  }

  async #daemon(): Promise<DaemonRecord> {
    const { name } = this.#instance;
    for (const end = Date.now() + patience; Date.now() < end; await delay(pause)) {
      const found = await findDaemon(this.#instance, { patience: answerPatience });
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
    const message = `The daemon of ${name} neither started nor ended in ${patience / 1000} seconds`;
    throw new FluxError("unavailable", message, {
      hint: `${programName()} status --name ${name} tells about it.`,
      retryable: true,
    });
  }

  async close(): Promise<void> {
    // Whoever called is told.
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const ofLostDaemons: ReadonlySet<string> = new Set(["unavailable", "closed"]);
