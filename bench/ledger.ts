/** `npm run bench:ledger`: what the ledger's adapters do, beside what one could write by hand. See docs/benchmarks.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/servers/postgres.ts";
import { chosenNames, runCommand, writeResults } from "./command.ts";
import { commits } from "./commits.ts";
import { families } from "./families.ts";
import { type Places, type StoreName, storeNames } from "./ledgers.ts";
import { measureRandomOperations } from "./random-operations.ts";
import { measureRates, type RateMeasure, type Settings } from "./rates.ts";
import { reads } from "./reads.ts";
import { type Result, table } from "./report.ts";
import { measureSizes } from "./size.ts";
import { measureStall } from "./stall.ts";
import { updates } from "./updates.ts";

const measures = ["commits", "updates", "reads", "stall", "size", "random"] as const;

const help = `npm run bench:ledger [-- options]

  --quick          less than a minute, with figures that only show that everything runs
  --only NAME,…    only these measures: ${measures.join(", ")} (the last one only when it is named)
  --stores NAME,…  only these stores: ${storeNames.join(", ")}
  --postgres URL   a server to use instead of one that is started for the run
  --json FILE      writes the results there, too
  --operations N   random operations on each store, by default 1,000,000, or 20,000 when quick
  --seed N         of the first random operations, by default 1`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    stores: { type: "string" },
    postgres: { type: "string" },
    json: { type: "string" },
    operations: { type: "string" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

async function run(signal: AbortSignal): Promise<void> {
  const usual = measures.filter((name) => name !== "random");
  const only = values.only === undefined ? usual : chosenNames(values.only, measures);
  // Random operations are many: on the stores that need no server, unless it is asked for.
  const here: readonly StoreName[] = only.join() === "random" ? ["inmemory", "sqlite"] : storeNames;
  const stores = values.stores === undefined ? here : chosenNames(values.stores, storeNames);
  const { quick } = values;
  const settings: Settings = quick
    ? { concurrencies: [1, 32], rounds: 2, milliseconds: 30, warmUp: 50, records: 1000, signal }
    : { concurrencies: [1, 8, 32, 128], rounds: 7, milliseconds: 400, warmUp: 1000, records: 20_000, signal };

  const ownServer = stores.includes("postgres") && values.postgres === undefined;
  const server = ownServer ? await startPostgres() : undefined;
  // On a disk: folders for temporary files that are in memory make every commit look durable.
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-"));
  try {
    const places: Places = { folder, postgres: server?.url ?? values.postgres };
    const all = families(stores, places);
    const peers = all.flatMap(({ peer }) => (peer === undefined || only.join() === "random" ? [] : [peer]));
    for (const { name, description } of peers) console.info(`${name}: ${description}.`);
    const results: Result[] = [];
    const report = (some: readonly Result[]): void => {
      results.push(...some);
      if (some.length > 0) console.info(`\n${some[0]?.measure}\n${table(some)}`);
    };
    const rates = async (list: readonly RateMeasure[]): Promise<void> => {
      const found: Result[] = [];
      for (const family of all)
        for (const measure of list) found.push(...(await measureRates(family, measure, settings)));
      report(found);
    };
    if (only.includes("commits")) await rates(commits(settings.concurrencies));
    if (only.includes("updates")) await rates(updates(settings.concurrencies));
    if (only.includes("reads")) await rates([reads(settings.records)]);
    if (only.includes("stall")) {
      const milliseconds = quick ? 500 : 5000;
      const rounds = quick ? 1 : 3;
      report(await measureStall({ stores, folder, milliseconds }, { rounds, signal }));
    }
    if (only.includes("size")) {
      const found: Result[] = [];
      // A thread of its own makes the same files.
      const once = families(
        stores.filter((name) => name !== "sqlite-worker" || !stores.includes("sqlite")),
        places,
      );
      for (const family of once) found.push(...(await measureSizes(family, settings)));
      report(found);
    }
    if (only.includes("random")) {
      const operations = Number(values.operations ?? (quick ? 20_000 : 1_000_000));
      report(
        await measureRandomOperations(stores, places, { operations, seed: Number(values.seed), signal }),
      );
    }
    if (values.json !== undefined) await writeResults(values.json, results);
  } finally {
    await server?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

if (values.help) console.info(help);
else await runCommand(run);
