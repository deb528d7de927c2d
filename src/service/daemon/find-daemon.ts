import { setTimeout as sleep } from "node:timers/promises";
import { FluxError } from "../../model/errors.ts";
import { answers } from "./control.ts";
import { DaemonLock } from "./daemon-lock.ts";
import { type DaemonRecord, readDaemonRecord } from "./daemon-record.ts";
import type { Instance } from "./instance.ts";
import { programName } from "./program-name.ts";

export type DaemonState =
  | { readonly state: "stopped" }
  /** A process has the lock and has not yet written where it can be reached. */
  | { readonly state: "starting" }
  | { readonly state: "stopping"; readonly record: DaemonRecord }
  | { readonly state: "running"; readonly record: DaemonRecord }
  /** It has the lock, and does not answer. */
  | { readonly state: "unresponsive"; readonly record: DaemonRecord };

export interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which a daemon must answer. Default 2,000. */
  readonly patience?: number | undefined;
}

/**
 * Whether the daemon of an instance runs, and where. The lock says whether, and the nonce in its answer that it is this
 * daemon: neither the id of a process nor a port that answers is believed by itself, since the system gives both to others.
 */
export async function findDaemon(
  { lockFile, daemonFile }: Instance,
  { signal, patience = 2000 }: FindOptions = {},
): Promise<DaemonState> {
  signal?.throwIfAborted();
  if (!DaemonLock.isTaken(lockFile)) return { state: "stopped" };
  const record = readDaemonRecord(daemonFile);
  if (record === undefined) return { state: "starting" };
  if (record.stopping) return { state: "stopping", record };
  const timeout = AbortSignal.timeout(patience);
  if (await answers(record, signal === undefined ? timeout : AbortSignal.any([signal, timeout])))
    return { state: "running", record };
  signal?.throwIfAborted();
  // It may have ended meanwhile, so that nothing could answer.
  return DaemonLock.isTaken(lockFile) ? { state: "unresponsive", record } : { state: "stopped" };
}

/** Milliseconds that a start may take, and those between two looks. */
const startPatience = 30_000;
const pause = 50;

/**
 * As `findDaemon`, once a daemon that is starting is ready or has given up.
 *
 * @throws FluxError `unavailable` when it takes longer than half a minute
 */
export async function settledDaemon(
  instance: Instance,
  signal?: AbortSignal,
): Promise<Exclude<DaemonState, { readonly state: "starting" }>> {
  for (let waited = 0; waited < startPatience; waited += pause) {
    const found = await findDaemon(instance, { signal });
    if (found.state !== "starting") return found;
    await sleep(pause, undefined, { signal });
  }
  throw new FluxError("unavailable", `The daemon of ${instance.name} is still starting`, {
    hint: `See ${instance.logFile}.`,
    retryable: true,
  });
}

export function unresponsive({ name, logFile }: Instance, { pid }: DaemonRecord): FluxError {
  return new FluxError("unavailable", `The daemon of ${name} runs as process ${pid} and does not answer`, {
    hint: `See ${logFile}. ${programName()} stop --force --name ${name} ends it at once.`,
    retryable: true,
  });
}

export function alreadyRunning({ name }: Instance, found: DaemonState): FluxError {
  const how = found.state === "stopping" ? "stopping" : "running already";
  const where = "record" in found ? ` at ${found.record.url}` : "";
  return new FluxError("daemon_running", `The daemon of ${name} is ${how}${where}`, {
    hint: `${programName()} status --name ${name} tells about it, ${programName()} stop --name ${name} ends it.`,
  });
}
