import type { Clock } from "../../model/clock.ts";
import { FluxError } from "../../model/errors.ts";
import type { CallOptions } from "../driver.ts";
import type { Changes, Jobs, Ledger, MaintenanceReport } from "../ledger.ts";
import type { AnyPlan } from "../plan.ts";
import type { Page } from "../read.ts";
import type { Kind } from "../schema.ts";
import type { Spaces } from "../search.ts";
import { inMemory } from "./connection.ts";
import { packArguments } from "./worker-arguments.ts";
import { decodeError, type ErrorMessage } from "./worker-errors.ts";
import { type Method, type PlanName, signalArguments, type WorkerSettings } from "./worker-messages.ts";
import { WorkerThread } from "./worker-thread.ts";

/**
 * A ledger whose every call runs in a worker thread. The thread starts with the first call, and again with the next one
 * after it has died.
 */
export class WorkerLedger implements Ledger {
  readonly #settings: WorkerSettings;
  readonly #clock: Clock;
  #thread: WorkerThread | undefined;
  #closed: Promise<void> | undefined;

  readonly changes: Changes = {
    head: (...args) => this.#call("changes.head", args),
    read: (...args) => this.#call("changes.read", args),
    wait: (...args) => this.#call("changes.wait", args),
  };
  readonly jobs: Jobs = {
    claim: (...args) => this.#call("jobs.claim", args),
    complete: (...args) => this.#call("jobs.complete", args),
    fail: (...args) => this.#call("jobs.fail", args),
    extend: (...args) => this.#call("jobs.extend", args),
    list: (...args) => this.#call("jobs.list", args),
    count: (...args) => this.#call("jobs.count", args),
    revive: (...args) => this.#call("jobs.revive", args),
  };

  readonly spaces: Spaces = {
    list: (...args) => this.#call("spaces.list", args),
    declare: (...args) => this.#call("spaces.declare", args),
    activate: (...args) => this.#call("spaces.activate", args),
    drop: (...args) => this.#call("spaces.drop", args),
  };

  constructor(settings: WorkerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  capabilities: Ledger["capabilities"] = (...args) => this.#call("capabilities", args);
  append: Ledger["append"] = (...args) => this.#call("append", args);
  index: Ledger["index"] = (...args) => this.#call("index", args);
  partitions: Ledger["partitions"] = (...args) => this.#call("partitions", args);
  setPolicy: Ledger["setPolicy"] = (...args) => this.#call("setPolicy", args);
  erase: Ledger["erase"] = (...args) => this.#call("erase", args);
  purge: Ledger["purge"] = (...args) => this.#call("purge", args);
  undo: Ledger["undo"] = (...args) => this.#call("undo", args);
  purged: Ledger["purged"] = (...args) => this.#call("purged", args);
  erasure: Ledger["erasure"] = (...args) => this.#call("erasure", args);
  verify: Ledger["verify"] = (...args) => this.#call("verify", args);

  read: Ledger["read"] = async (...args) => {
    const results = await this.#call<unknown[]>("read", args);
    // Records are frozen; their copies from the other thread are not yet.
    results.forEach((result, i) => {
      if (args[1][i]?.type === "get") Object.freeze(result);
      else if (args[1][i]?.type === "find") (result as Page<Kind>).items.forEach(Object.freeze);
    });
    return results as never;
  };

  update: Ledger["update"] = (partition, call, options) => {
    const plan: Partial<AnyPlan> | undefined = call?.plan;
    // What is no plan is sent as it is, and refused there.
    if (typeof plan?.reads !== "function" || typeof plan.decide !== "function")
      return this.#call("update", [partition, call, options]);
    const { module = "", name = "" } = plan;
    return this.#call("update", [partition, { ...call, plan: undefined }, options], { module, name });
  };

  maintain: Ledger["maintain"] = async (...args) => {
    const report = await this.#call<MaintenanceReport>("maintain", args);
    const errors = report.errors.map(({ partition, error }) => ({
      partition,
      error: decodeError(error as ErrorMessage),
    }));
    return { ...report, errors };
  };

  async #call<T>(method: Method, args: readonly unknown[], plan?: PlanName): Promise<T> {
    const thread = this.#running();
    const place = signalArguments[method];
    const { signal, ...options } = (args[place] ?? {}) as CallOptions;
    signal?.throwIfAborted();
    const { packed, standIns } = packArguments(signal === undefined ? args : args.with(place, options));
    const now = Math.trunc(this.#clock.now());
    return thread.call({ method, arguments: packed, standIns, plan, now }, signal) as Promise<T>;
  }

  #running(): WorkerThread {
    if (this.#closed !== undefined) throw new FluxError("closed", "The ledger was closed");
    if (this.#thread === undefined || !this.#thread.alive) {
      if (this.#thread !== undefined && this.#settings.path === inMemory) {
        throw new FluxError("unavailable", "The database in memory was lost with its thread", {
          hint: "Make a new ledger.",
        });
      }
      this.#thread = new WorkerThread(this.#settings);
    }
    return this.#thread;
  }

  close(): Promise<void> {
    this.#closed ??= this.#thread?.alive ? this.#thread.close() : Promise.resolve();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
