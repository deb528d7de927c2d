/** `npm run bench:recall`: whether what was said is found again. See docs/benchmarks.md. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { rawFts5 } from "./peers/raw-fts5.ts";
import { fts5Memory } from "./recall-fts5.ts";
import { recallReport, recallTable } from "./recall-report.ts";
import { runRecall } from "./recall-run.ts";
import { readRecallSet } from "./recall-set.ts";

const help = `npm run bench:recall -- --file FILE [options]

  --file FILE      a data set, plain or .gz
  --baseline fts5  SQLite's full-text search by hand, instead of ours
  --json FILE      writes the results there, too`;

const { values } = parseArgs({
  options: {
    file: { type: "string" },
    baseline: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(file: string, signal: AbortSignal): Promise<void> {
  const set = await readRecallSet(file);
  console.info(`${rawFts5}.`);
  await using memory = fts5Memory();
  const report = recallReport(file, memory.embedder, await runRecall(set, memory, signal));
  console.info(recallTable(report));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
}

if (values.help || values.file === undefined) {
  console.info(help);
  if (!values.help) process.exitCode = 1;
} else {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}`)));
  try {
    await run(values.file, stop.signal);
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Error && stop.signal.aborted ? error.message : error);
  }
}
