/** `npm run bench:recall`: whether what was said is found again. See docs/benchmarks.md. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { resolveEmbedder } from "../src/embed.ts";
import { runCommand } from "./command.ts";
import { mem0Memory } from "./peers/mem0.ts";
import { installPeers } from "./peers/peer-packages.ts";
import { rawFts5 } from "./peers/raw-fts5.ts";
import { fluxMemory, inProcess, overRest } from "./recall-flux.ts";
import { fts5Memory } from "./recall-fts5.ts";
import type { RecallMemory } from "./recall-memory.ts";
import { recallReport, recallTable } from "./recall-report.ts";
import { runRecall } from "./recall-run.ts";
import { readRecallSet } from "./recall-set.ts";

const help = `npm run bench:recall -- --file FILE [options]

  --file FILE      a data set, plain or .gz
  --store URL      of a store, by default a new SQLite file. What is stored there is erased at the end
  --url URL        of a service that runs: asked through REST, instead of --store and --embedder
  --embedder NAME  as Flux.open takes it, or none; by default static
  --baseline NAME  instead of ours: fts5, SQLite's full-text search by hand; or mem0, which it installs in
                   bench/peers/packages
  --json FILE      writes the results there, too`;

const { values } = parseArgs({
  options: {
    file: { type: "string" },
    store: { type: "string" },
    url: { type: "string" },
    embedder: { type: "string", default: "static" },
    baseline: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(file: string, signal: AbortSignal): Promise<void> {
  const set = await readRecallSet(file);
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-"));
  try {
    await using memory = await open(folder);
    const report = recallReport(file, memory.embedder, await runRecall(set, memory, signal));
    console.info(recallTable(report));
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(folder: string): Promise<RecallMemory> {
  if (values.baseline === undefined && values.url !== undefined)
    return fluxMemory(await overRest(values.url));
  if (values.baseline === undefined) {
    const store = values.store ?? `sqlite:${join(folder, "memory.db")}`;
    const embedder = values.embedder === "none" ? false : values.embedder;
    return fluxMemory(await inProcess({ store, embedder }));
  }
  if (values.baseline === "mem0") {
    await installPeers();
    return mem0Memory(await resolveEmbedder(values.embedder), folder);
  }
  if (values.baseline !== "fts5")
    throw new Error(`There is no baseline ${values.baseline}. Known: fts5, mem0`);
  console.info(`${rawFts5}.`);
  return fts5Memory();
}

const { file } = values;
if (values.help) console.info(help);
else if (file === undefined) {
  process.exitCode = 1;
  console.error(help);
} else await runCommand((signal) => run(file, signal));
