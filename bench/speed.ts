/** `npm run bench:speed`: how fast texts are stored and found again, and what they take. See docs/benchmarks.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { staticEmbedder } from "../src/embed.ts";
import { chosenNames, runCommand, writeResults } from "./command.ts";
import { newDatabase, openLedger, removeDatabase, type StoreName } from "./ledgers.ts";
import { fluxInProcess, fluxOverMcp, fluxOverRest } from "./peers/flux-peer.ts";
import { mem0 } from "./peers/mem0.ts";
import { installPeers } from "./peers/peer-packages.ts";
import { rawFts5 } from "./peers/raw-fts5.ts";
import { serverMemory } from "./peers/server-memory.ts";
import { type Result, table } from "./report.ts";
import { measureAdds } from "./speed-adds.ts";
import { fluxStore } from "./speed-flux.ts";
import { fts5Store } from "./speed-fts5.ts";
import { measurePeers } from "./speed-peers.ts";
import { measureGrowth, measurePartitions } from "./speed-recalls.ts";
import type { SpeedPair, SpeedSettings } from "./speed-store.ts";

const measures = ["add", "growth", "partitions"] as const;
const fileStores: readonly string[] = ["inmemory", "sqlite", "sqlite-worker"] satisfies StoreName[];

const help = `npm run bench:speed [-- options]

  --quick          less than a minute, with figures that only show that everything runs
  --only NAME,…    only these measures: ${measures.join(", ")}
  --store NAME     ${fileStores.join(", ")}, or the URL of a PostgreSQL; by default sqlite
  --embedder NAME  as Flux.open takes it, or none; by default static
  --peers          instead of all that: ours beside other packages, which it installs in bench/peers/packages
  --json FILE      writes the results there, too`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    store: { type: "string", default: "sqlite" },
    embedder: { type: "string", default: "static" },
    peers: { type: "boolean", default: false },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(signal: AbortSignal): Promise<void> {
  // On a disk: folders for temporary files that are in memory make every commit look durable.
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-"));
  try {
    const results = values.peers ? await runPeers(folder, signal) : await runMeasures(folder, signal);
    if (values.json !== undefined) await writeResults(values.json, results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runMeasures(folder: string, signal: AbortSignal): Promise<readonly Result[]> {
  const only = chosenNames(values.only, measures);
  const pair = pairIn(folder);
  const settings = settingsFor(signal);
  console.info(`${pair.peer.name}: ${rawFts5}.`);
  const results: Result[] = [];
  const measured = async (
    name: (typeof measures)[number],
    measure: () => Promise<readonly Result[]>,
  ): Promise<void> => {
    if (!only.includes(name)) return;
    const some = await measure();
    results.push(...some);
    show(some);
  };
  await measured("add", () => measureAdds(pair, settings));
  await measured("growth", () => measureGrowth(pair, settings));
  await measured("partitions", () => measurePartitions(pair, settings));
  return results;
}

async function runPeers(folder: string, signal: AbortSignal): Promise<readonly Result[]> {
  await installPeers();
  const embedder = await staticEmbedder();
  const own = [fluxInProcess(embedder), fluxOverRest(), fluxOverMcp()];
  const others = [mem0(embedder), serverMemory()];
  for (const { name, about } of [...own, ...others]) console.info(`${name}: ${about}.`);
  const results = await measurePeers({ own, others }, folder, {
    ...(values.quick
      ? { sizes: [300], rounds: 2, adds: 20, searches: 10 }
      : { sizes: [1000, 5000], rounds: 5, adds: 40, searches: 20 }),
    signal,
  });
  show(results);
  return results;
}

function show(results: readonly Result[]): void {
  for (const [title, group] of Map.groupBy(results, (result) => result.measure))
    console.info(`\n${title}\n${table(group)}`);
}

function pairIn(folder: string): SpeedPair {
  const store = fileStores.includes(values.store) ? (values.store as StoreName) : "postgres";
  const places = { folder, postgres: store === "postgres" ? values.store : undefined };
  const embedder = values.embedder === "none" ? false : values.embedder;
  const own = () => fluxStore(openLedger(store, places), embedder);
  const peer = async () => {
    const path = newDatabase(folder);
    return fts5Store(path, () => removeDatabase(path));
  };
  return { own: { name: store, open: own }, peer: { name: "raw FTS5", open: peer } };
}

function settingsFor(signal: AbortSignal): SpeedSettings {
  return values.quick
    ? {
        ...{ concurrencies: [1, 32], rounds: 2, milliseconds: 200, questions: 20 },
        ...{ growth: [500, 1000], partitions: { count: 20, texts: 50 }, signal },
      }
    : {
        ...{ concurrencies: [1, 8, 32], rounds: 5, milliseconds: 600, questions: 60 },
        growth: [1000, 10_000, 50_000, 100_000],
        ...{ partitions: { count: 1000, texts: 100 }, signal },
      };
}

if (values.help) console.info(help);
else await runCommand(run);
