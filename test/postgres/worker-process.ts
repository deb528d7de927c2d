import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { WorkerInput } from "./worker.ts";

/** A process of its own that does one task. */
export interface Worker<R> {
  readonly process: ChildProcess;
  /** What it reported so far. */
  readonly reports: readonly string[];
  readonly result: Promise<R>;
}

export function startWorker<R = unknown>(input: WorkerInput): Worker<R> {
  const child = fork(new URL("./worker.ts", import.meta.url), [JSON.stringify(input)], {
    execArgv: [],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const reports: string[] = [];
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  let result: R | undefined;
  child.on("message", (message: { report?: string; result?: R }) => {
    if (message.report !== undefined) reports.push(message.report);
    else result = message.result;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    if (code === 0) return result as R;
    throw new Error(`The process for ${input.task} ended with ${code ?? signal}\n${errors}`);
  });
  // Whoever kills it does not wait for it.
  ended.catch(() => undefined);
  return { process: child, reports, result: ended };
}
