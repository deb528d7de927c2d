import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Ledger } from "../ledger.ts";

/** What another process does with the store: a function that a module exports under its own name. */
export interface Task<I, R> {
  readonly name: string;
  readonly module: string;
  run(ledger: Ledger, input: I, report: (value: unknown) => void): Promise<R>;
}

export function defineTask<I, R>(task: Task<I, R>): Task<I, R> {
  return task;
}

/** What the parent tells a child first. */
export interface Assignment {
  readonly module: string;
  readonly place: string;
  readonly task: { readonly module: string; readonly name: string };
  readonly input: unknown;
}

/** What a child tells its parent. */
export type Message =
  | { readonly type: "ready" }
  | { readonly type: "report"; readonly value: unknown }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly error: string };

/** The script runs from source and from the build, which have different endings. */
const script = import.meta.url.endsWith(".ts")
  ? new URL("./child.ts", import.meta.url)
  : new URL("./child.js", import.meta.url);

/** Another process with the same store. */
export class Child<R> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #result: Promise<R>;
  readonly #reports: unknown[] = [];
  #reported = Promise.withResolvers<void>();

  /** Resolves once the child has opened the store. */
  static async start<I, R>({
    task,
    ...assignment
  }: Omit<Assignment, "task"> & { readonly task: Task<I, R> }): Promise<Child<R>> {
    const child = new Child<R>({ ...assignment, task: { module: task.module, name: task.name } });
    await child.#ready.promise;
    return child;
  }

  readonly #ready = Promise.withResolvers<void>();

  private constructor(assignment: Assignment) {
    this.#process = fork(script, {
      // Options of the parent, such as its test runner's loaders, are none of the child's business.
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
    });
    // Its last messages may come after its end; the channel closes behind them. One that never started, or died before it
    // could be written to, has an error instead.
    let failure: unknown;
    this.#process.on("error", (error) => {
      failure ??= error;
    });
    const events = [once(this.#process, "exit"), once(this.#process, "disconnect")];
    this.#exited = Promise.all(events).catch(() => undefined);
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#result = promise;
    // Whoever kills the child does not wait for its result.
    promise.catch(() => undefined);
    this.#process.on("message", (message: Message) => {
      if (message.type === "ready") this.#ready.resolve();
      else if (message.type === "done") resolve(message.result as R);
      else if (message.type === "failed") {
        const error = new Error(`In another process: ${message.error}`);
        this.#ready.reject(error);
        reject(error);
      } else {
        this.#reports.push(message.value);
        this.#reported.resolve();
        this.#reported = Promise.withResolvers();
      }
    });
    this.#exited.then(() => {
      const { signalCode, exitCode } = this.#process;
      const end = `The other process ended early, with ${signalCode ?? exitCode}`;
      const error = new Error(end, { cause: failure });
      this.#ready.reject(error);
      reject(error);
      this.#reported.resolve();
    });
    this.#process.send(assignment);
  }

  /** Lets the child begin. */
  go(): void {
    this.#process.send("go");
  }

  /** What the task returns. */
  get result(): Promise<R> {
    return this.#result;
  }

  /** What the task reported so far. */
  get reports(): readonly unknown[] {
    return this.#reports;
  }

  /** Waits until the task has reported so often, or has ended. */
  async reportedAtLeast(count: number): Promise<void> {
    while (this.#reports.length < count && this.#process.exitCode === null && !this.#process.killed)
      await Promise.race([this.#reported.promise, this.#exited]);
  }

  /** Ends the child at once, as a power cut would, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await this.kill();
  }
}

/** Starts the task in all of them at once, and waits for all results. */
export async function runTogether<R>(children: readonly Child<R>[]): Promise<R[]> {
  for (const child of children) child.go();
  return Promise.all(children.map((child) => child.result));
}
