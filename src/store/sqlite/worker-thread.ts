import { Worker } from "node:worker_threads";
import { FluxError, FluxTypeError } from "../../model/errors.ts";
import { decodeError } from "./worker-errors.ts";
import type { Call, Reply, Request, WorkerSettings } from "./worker-messages.ts";

// The compiler rewrites the extensions of imports, but not of URLs.
const source = new URL("./worker.ts", import.meta.url);
const file = new URL(source.href.replace(/\.ts$/, import.meta.url.endsWith(".ts") ? ".ts" : ".js"));

interface Pending {
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One worker thread with the calls that wait for its replies. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #nextId = 0;
  #ready = false;
  #closing = false;
  #failure: unknown;
  #closeError: unknown;
  #alive = true;

  constructor(settings: WorkerSettings) {
    this.#worker = new Worker(file, {
      workerData: settings,
      name: "flux-memory sqlite",
      // The thread runs a file, also where the process runs a text given to it.
      execArgv: process.execArgv.filter((option) => !option.startsWith("--input-type")),
      // Descriptors of database files stay open until the process ends, see database-files.ts.
      trackUnmanagedFds: false,
    });
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    this.#worker.on("error", (error) => {
      this.#failure = error;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#end();
        resolve();
      });
    });
  }

  /** False once it has ended, whatever the reason. */
  get alive(): boolean {
    return this.#alive;
  }

  call(call: Omit<Call, "type" | "id" | "abortable">, signal: AbortSignal | undefined): Promise<unknown> {
    const id = this.#nextId++;
    const abort = (): void => this.#post({ type: "abort", id });
    return new Promise<unknown>((resolve, reject) => {
      this.#post({ ...call, type: "call", id, abortable: signal !== undefined });
      this.#pending.set(id, { signal, resolve, reject });
      // A call under way keeps the process alive, an idle thread does not.
      if (this.#pending.size === 1) this.#worker.ref();
      signal?.addEventListener("abort", abort);
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  /** Lets the calls under way end, closes the ledger and ends the thread. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#worker.ref();
    this.#post({ type: "close" });
    await this.#exited;
    if (this.#closeError !== undefined) throw this.#closeError;
  }

  #post(request: Request): void {
    try {
      this.#worker.postMessage(request);
    } catch (cause) {
      throw new FluxTypeError("invalid_argument", "An argument cannot be sent to the worker thread", {
        hint: "Pass plain data only.",
        cause,
      });
    }
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case "ready":
        this.#ready = true;
        return;
      case "closed":
        if (reply.error !== undefined) this.#closeError = decodeError(reply.error);
        return;
      case "value":
        this.#settle(reply.id, ({ resolve }) => resolve(reply.value));
        return;
      case "error":
        this.#settle(reply.id, ({ reject, signal }) => reject(decodeError(reply.error, signal)));
    }
  }

  #settle(id: number, step: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    // The last answer must not let the process end before the thread said that it is closed.
    if (this.#pending.size === 0 && !this.#closing) this.#worker.unref();
    step(pending);
  }

  #end(): void {
    this.#alive = false;
    const error = this.#ready
      ? new FluxError("unavailable", "The worker thread of the ledger ended", {
          hint: "Repeat the call with the same operation id: it has its effect once.",
          retryable: true,
          cause: this.#failure,
        })
      : new FluxError("unavailable", "The worker thread of the ledger could not be started", {
          hint: "A bundler has to leave flux-memory outside, since the thread has a file of its own.",
          cause: this.#failure,
        });
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
