import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Result } from "./report.ts";

/** Runs a benchmark until it ends or is interrupted. The first interruption puts all away; a second one, nothing. */
export async function runCommand(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}`)));
  try {
    await run(stop.signal);
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Error && stop.signal.aborted ? error.message : error);
  }
}

/** What was given of the names that are known. */
export function chosenNames<T extends string>(given: string | undefined, known: readonly T[]): readonly T[] {
  if (given === undefined) return known;
  const names = given.split(",");
  const wrong = names.filter((name) => !(known as readonly string[]).includes(name));
  if (wrong.length > 0) throw new Error(`Not known: ${wrong.join(", ")}. Known: ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

/** Writes results and on what they were measured. */
export async function writeResults(file: string, results: readonly Result[]): Promise<void> {
  const [cpu] = cpus();
  const head = {
    date: new Date().toISOString(),
    node: process.version,
    cpu: `${cpus().length} × ${cpu?.model}`,
  };
  await writeFile(file, `${JSON.stringify({ ...head, results }, undefined, 2)}\n`);
}
