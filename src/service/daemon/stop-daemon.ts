import { setTimeout as sleep } from "node:timers/promises";
import { FluxError } from "../../model/errors.ts";
import { askToStop } from "./control.ts";
import { DaemonLock } from "./daemon-lock.ts";
import { type DaemonRecord, removeDaemonRecord } from "./daemon-record.ts";
import { settledDaemon, unresponsive } from "./find-daemon.ts";
import type { Instance } from "./instance.ts";
import { processStart } from "./process-start.ts";
import { shutdownDeadline } from "./shutdown-deadline.ts";

export interface StopOptions {
  readonly signal?: AbortSignal | undefined;
  /** End a daemon that does not answer or does not come to its end. Default false. */
  readonly force?: boolean | undefined;
}

/**
 * Ends the daemon of an instance and waits until it has ended. It is asked to; a signal is sent only with `force`, and only to the
 * process that the daemon's file names by its id and its start, while the lock is held.
 *
 * @returns the process that ended; undefined when none was running
 * @throws FluxError `unavailable` when the daemon does not answer or end, and may not or cannot be made to
 */
export async function stopDaemon(
  instance: Instance,
  { signal, force = false }: StopOptions = {},
): Promise<number | undefined> {
  const found = await settledDaemon(instance, signal);
  if (found.state === "stopped") {
    // Left behind by one that was killed.
    removeDaemonRecord(instance.daemonFile);
    return undefined;
  }
  const { record } = found;
  const ending =
    found.state === "stopping" ||
    (found.state === "running" && (await askToStop(record, AbortSignal.timeout(2000))));
  if (ending && (await ended(instance, shutdownDeadline + 2000, signal))) return record.pid;
  if (!force) throw unresponsive(instance, record);
  kill(instance, record);
  if (!(await ended(instance, 5000, signal))) throw unresponsive(instance, record);
  removeDaemonRecord(instance.daemonFile);
  return record.pid;
}

/** Milliseconds between two looks. */
const pause = 50;

async function ended({ lockFile }: Instance, patience: number, signal?: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < patience; waited += pause) {
    if (!DaemonLock.isTaken(lockFile)) return true;
    await sleep(pause, undefined, { signal });
  }
  return false;
}

function kill(instance: Instance, { pid, process_start: start }: DaemonRecord): void {
  if (start === undefined || processStart(pid) !== start)
    throw new FluxError("unavailable", `Process ${pid} is not known to be the daemon of ${instance.name}`, {
      hint: `Find the process that has ${instance.lockFile} open, and end that.`,
    });
  process.kill(pid, "SIGKILL");
}
