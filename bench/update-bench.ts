/** `npm run bench:updates`: whether what holds now comes before what held then. See docs/benchmarks.md. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "./command.ts";
import { readRecallSet } from "./recall-set.ts";
import { updateReport, updateTable } from "./update-report.ts";
import { runUpdates } from "./update-run.ts";

const help = `npm run bench:updates -- --file FILE [options]
npm run bench:updates -- --synthetic [--json OUT]

  --file FILE      data sets, plain or .gz, with several separated by commas: the questions of all of them
  --synthetic      instead, 1,000 updates made up from templates, and what is to be known after each
  --embedder NAME  as Flux.open takes it, or none; by default static
  --json FILE      writes the results there, too`;

const { values } = parseArgs({
  options: {
    file: { type: "string" },
    synthetic: { type: "boolean", default: false },
    embedder: { type: "string", default: "static" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(files: string, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-"));
  try {
    const outcomes = [];
    for (const file of files.split(",")) {
      const set = await readRecallSet(file);
      const store = (name: string): string => `sqlite:${join(folder, `${set.name}-${name}.db`)}`;
      const embedder = values.embedder === "none" ? false : values.embedder;
      outcomes.push(...(await runUpdates(set, { store, embedder, signal })));
    }
    await report(updateReport(files, values.embedder, outcomes), updateTable);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runSynthetic(signal: AbortSignal): Promise<void> {
  const { runSyntheticUpdates, syntheticTable } = await import("./update-synthetic.ts");
  await report(await runSyntheticUpdates(signal), syntheticTable);
}

async function report<T>(results: T, table: (results: T) => string): Promise<void> {
  console.info(table(results));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
}

const { file } = values;
if (values.help) console.info(help);
else if (values.synthetic) await runCommand(runSynthetic);
else if (file === undefined) {
  process.exitCode = 1;
  console.error(help);
} else await runCommand((signal) => run(file, signal));
