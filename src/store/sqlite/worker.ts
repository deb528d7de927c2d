// Runs in a worker thread: the whole ledger, so that no statement ever holds up the host's event loop.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createLedger } from "../engine.ts";
import type { Ledger, MaintenanceReport } from "../ledger.ts";
import { SqliteDriver } from "./driver.ts";
import { unpackArguments } from "./worker-arguments.ts";
import { encodeError } from "./worker-errors.ts";
import {
  type Call,
  type Method,
  type Reply,
  type Request,
  signalArguments,
  type WorkerSettings,
} from "./worker-messages.ts";
import { loadPlan } from "./worker-plans.ts";

const port = parentPort;
if (port === null) throw new Error("This module runs in a worker thread only");

const { path, busyTimeout, indexMemory, changeRetention } = workerData as WorkerSettings;
// The caller's clock decides, here as elsewhere: it stands at what the last call brought along.
let now = 0;
const driver = new SqliteDriver({ path, busyTimeout, indexMemory });
const ledger = createLedger(driver, { clock: { now: () => now }, changeRetention });

/** Milliseconds for which a thread that was closed may still do something else. */
const patience = 1000;

const aborts = new Map<number, AbortController>();
const running = new Set<Promise<void>>();

function reply(message: Reply): void {
  port?.postMessage(message);
}

async function answer(call: Call): Promise<void> {
  const { id, method, abortable } = call;
  const abort = abortable ? new AbortController() : undefined;
  if (abort !== undefined) aborts.set(id, abort);
  try {
    const value = await invoke(call, abort?.signal);
    reply({ type: "value", id, value: method === "maintain" ? encodeReport(value) : value });
  } catch (error) {
    reply({ type: "error", id, error: encodeError(error, abort?.signal) });
  } finally {
    aborts.delete(id);
  }
}

/** Calls that arrive together are not put in a row, so that they can share one commit. */
async function invoke(call: Call, signal: AbortSignal | undefined): Promise<unknown> {
  const { arguments: args, standIns, plan, method } = call;
  unpackArguments(args, standIns);
  const place = signalArguments[method];
  if (signal !== undefined) args[place] = { ...(args[place] as object | undefined), signal };
  if (plan !== undefined) args[1] = { ...(args[1] as object), plan: await loadPlan(plan) };
  now = call.now;
  return methodOf(ledger, method)(...args);
}

function methodOf(ledger: Ledger, method: Method): (...args: unknown[]) => Promise<unknown> {
  const [group, name] = method.split(".");
  const owner = name === undefined ? ledger : ledger[group as "changes" | "jobs" | "spaces"];
  const call = owner[(name ?? group) as never] as (...args: unknown[]) => Promise<unknown>;
  return call.bind(owner);
}

function encodeReport(report: unknown): unknown {
  const { errors, ...counts } = report as MaintenanceReport;
  return {
    ...counts,
    errors: errors.map(({ partition, error }) => ({ partition, error: encodeError(error) })),
  };
}

async function close(port: MessagePort): Promise<void> {
  try {
    await ledger.close();
    await Promise.all(running);
    reply({ type: "closed" });
  } catch (error) {
    reply({ type: "closed", error: encodeError(error) });
  }
  // The thread ends by itself, unless the module of a plan keeps it busy.
  port.close();
  setTimeout(() => process.exit(), patience).unref();
}

port.on("message", (request: Request) => {
  if (request.type === "abort") aborts.get(request.id)?.abort();
  else if (request.type === "close") void close(port);
  else {
    const answered = answer(request).finally(() => running.delete(answered));
    running.add(answered);
  }
});
reply({ type: "ready" });
