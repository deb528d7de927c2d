import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { FluxError, type FluxErrorJson } from "../../model/errors.ts";
import { readConfig } from "./config-file.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import { alreadyRunning, settledDaemon } from "./find-daemon.ts";
import type { Instance } from "./instance.ts";
import { privateFile } from "./private-files.ts";

export interface StartOptions {
  /** Listen here and nowhere else. Default: where the configuration says, or at a free port if that is taken. */
  readonly port?: number | undefined;
  /** Aborted before the daemon is ready, it ends the daemon. */
  readonly signal?: AbortSignal | undefined;
}

/** What a daemon tells the process that started it: that it is ready, or why it gave up. */
export type StartMessage =
  | { readonly type: "ready"; readonly record: DaemonRecord }
  | { readonly type: "failed"; readonly error: FluxErrorJson };

const source = new URL("./daemon-process.ts", import.meta.url);
const file = new URL(source.href.replace(/\.ts$/, import.meta.url.endsWith(".ts") ? ".ts" : ".js"));

/**
 * Starts the daemon of an instance as a process of its own, which lives on when this one ends, and waits until it is ready.
 *
 * @throws FluxError `instance_not_found`, `daemon_running`, `port_in_use`, `config_invalid` and its like; what a store can fail with;
 *   `unavailable` when the process ended without a word. The reason of an aborted signal
 */
export async function startDaemon(
  instance: Instance,
  { port, signal }: StartOptions = {},
): Promise<DaemonRecord> {
  readConfig(instance);
  const found = await settledDaemon(instance, signal);
  if (found.state !== "stopped") throw alreadyRunning(instance, found);
  const child = launch(instance, port);
  const abort = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const message = await firstMessage(child, instance);
    signal?.throwIfAborted();
    if (message.type === "failed") throw FluxError.fromJSON(message.error);
    return message.record;
  } finally {
    signal?.removeEventListener("abort", abort);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function launch({ name, folder, logFile }: Instance, port: number | undefined): ChildProcess {
  // What Node itself has to say, such as that memory ran out, is found in the log too.
  const log = openSync(logFile, "a", privateFile);
  try {
    const args = [fileURLToPath(file), name, ...(port === undefined ? [] : [String(port)])];
    return spawn(process.execPath, args, {
      cwd: folder,
      detached: true,
      env: { ...process.env, FLUX_HOME: dirname(folder) },
      stdio: ["ignore", log, log, "ipc"],
      windowsHide: true,
    });
  } finally {
    closeSync(log);
  }
}

function firstMessage(child: ChildProcess, { name, logFile }: Instance): Promise<StartMessage> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as StartMessage));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      const message = `The daemon of ${name} ended while it started, with ${how}`;
      reject(new FluxError("unavailable", message, { hint: `See ${logFile}.` }));
    });
  });
}
