/** One of the processes of `stall.ts`: writes to a file with many callers, and watches its own event loop meanwhile. */
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sqliteLedger } from "../src/sqlite.ts";
import { LedgerStore } from "./ledger-store.ts";
import { callFor } from "./measure.ts";
import { RawSqlite } from "./peers/raw-sqlite.ts";
import { counter, newOperation, sampleMessage } from "./samples.ts";
import type { BenchStore } from "./store.ts";

export interface StallTask {
  readonly store: "sqlite" | "sqlite-worker" | "raw";
  readonly path: string;
  readonly callers: number;
  readonly milliseconds: number;
}

/** Milliseconds by which the event loop came late, and what was written. */
export interface StallReport {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly commitsPerSecond: number;
}

function open({ store, path }: StallTask): BenchStore {
  if (store === "raw") return new RawSqlite(path);
  // As many processes want the file as there are, all the time: none may give up.
  const ledger = sqliteLedger({ path, worker: store === "sqlite-worker", busyTimeout: 60_000 });
  return new LedgerStore({ ledger, sizes: async () => [], remove: () => ledger.close() });
}

async function run(task: StallTask): Promise<StallReport> {
  const store = open(task);
  const user = `user-${process.pid}`;
  const next = counter();
  const call = (): Promise<unknown> => store.append(user, newOperation(), [sampleMessage(next(), "session")]);
  try {
    // Opened, and compiled, before it counts.
    for (let i = 0; i < 200; i++) await call();
    process.send?.("ready");
    await once(process, "message");
    const resolution = 1;
    const delay = monitorEventLoopDelay({ resolution });
    delay.enable();
    const { perSecond } = await callFor(task.milliseconds, task.callers, call);
    delay.disable();
    // Its figures are nanoseconds from tick to tick, the timer's own millisecond among them.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    return {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
      commitsPerSecond: perSecond,
    };
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

// Whoever started it is gone: nobody wants to know.
process.once("disconnect", () => process.exit());
const [task] = (await once(process, "message")) as [StallTask];
process.send?.(await run(task));
// The message is on its way before the channel goes.
await sleep(10);
process.disconnect();
