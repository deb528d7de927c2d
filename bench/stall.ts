import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { StoreName } from "./ledgers.ts";
import { summarize } from "./measure.ts";
import type { Settings } from "./rates.ts";
import type { Result } from "./report.ts";
import type { StallReport, StallTask } from "./stall-process.ts";

const processes = 4;
const callers = 32;

interface Variant {
  readonly name: string;
  readonly store: StallTask["store"];
  /** With a file for each, they share the processors but no lock: what is late then is not the store's doing. */
  readonly files: "shared" | "own";
}

const variants: readonly Variant[] = [
  { name: "sqlite", store: "sqlite", files: "shared" },
  { name: "sqlite-worker", store: "sqlite-worker", files: "shared" },
  { name: "sqlite, a file each", store: "sqlite", files: "own" },
  { name: "raw better-sqlite3", store: "raw", files: "shared" },
];

/**
 * How late the event loop comes in processes that write to one file, four at a time with 32 callers each. Every process is
 * a sample: the median of their percentiles, and the longest wait of all.
 */
export async function measureStall(
  options: { readonly stores: readonly StoreName[]; readonly folder: string; readonly milliseconds: number },
  { rounds, signal }: Pick<Settings, "rounds" | "signal">,
): Promise<Result[]> {
  const chosen = variants.filter(
    ({ store }) => store === "raw" || (options.stores as readonly string[]).includes(store),
  );
  if (!chosen.some(({ store }) => store !== "raw")) return [];
  const reports = new Map(chosen.map((variant) => [variant, [] as StallReport[][]]));
  for (let round = 0; round < rounds; round++) {
    for (const variant of chosen) {
      signal.throwIfAborted();
      const base = join(options.folder, `stall-${variants.indexOf(variant)}-${round}`);
      reports.get(variant)?.push(await runTogether(variant, base, options.milliseconds, signal));
    }
  }
  return chosen.flatMap((variant) => resultsOf(variant, reports.get(variant) ?? []));
}

function resultsOf({ name }: Variant, rounds: readonly (readonly StallReport[])[]): Result[] {
  const all = rounds.flat();
  const total = rounds.map((reports) =>
    reports.reduce((sum, { commitsPerSecond }) => sum + commitsPerSecond, 0),
  );
  const line = (title: string, unit: string, values: readonly number[]): Result => ({
    measure: "stall",
    case: title,
    store: name,
    unit,
    figures: summarize(values),
  });
  const late = (title: "p50" | "p99" | "max"): Result =>
    line(
      title,
      "ms",
      all.map((report) => report[title]),
    );
  return [late("p50"), late("p99"), late("max"), line("all four", "commits/s", total)];
}

async function runTogether(
  { store, files }: Variant,
  base: string,
  milliseconds: number,
  signal: AbortSignal,
): Promise<StallReport[]> {
  const children = Array.from({ length: processes }, () =>
    fork(new URL("stall-process.ts", import.meta.url), { execArgv: [] }),
  );
  const stop = (): void => {
    for (const child of children) child.kill("SIGKILL");
  };
  signal.addEventListener("abort", stop);
  try {
    await Promise.all(children.map((child) => once(child, "spawn")));
    // One after the other, so that none finds the file half made.
    for (const [i, child] of children.entries()) {
      const path = files === "shared" ? `${base}.db` : `${base}-${i}.db`;
      child.send({ store, path, callers, milliseconds } satisfies StallTask);
      await answer(child);
    }
    for (const child of children) child.send("go");
    return (await Promise.all(children.map(answer))) as StallReport[];
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await Promise.all(children.map(gone));
  }
}

async function answer(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message),
      once(child, "exit", { signal }).then(() => Promise.reject(new Error("A writing process ended early"))),
    ]);
  } finally {
    stop.abort();
  }
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (child.connected) child.disconnect();
  await exited;
}
