/** `npm run bench:agent`: how fast an agent's memory remembers and recalls. See docs/benchmarks.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureOneUser, measureUsers } from "./agent-measures.ts";
import { chosenNames, runCommand, writeResults } from "./command.ts";
import { type Result, table } from "./report.ts";

const measures = ["one", "users"] as const;

const help = `npm run bench:agent [-- options]

  --quick          less than a minute, with figures that only show that everything runs
  --only NAME,…    only these measures: ${measures.join(", ")}
  --store URL      inmemory, sqlite, or the URL of a PostgreSQL database that it may fill; by default sqlite
  --json FILE      writes the results there, too`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    store: { type: "string", default: "sqlite" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(signal: AbortSignal): Promise<void> {
  const only = chosenNames(values.only, measures);
  // On a disk: folders for temporary files that are in memory make every commit look durable.
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-"));
  const urlOf = (name: string): string =>
    values.store === "sqlite" ? `sqlite:${join(folder, `${name}.db`)}` : values.store;
  const settings = values.quick
    ? { sizes: [200, 500], users: { count: 50, episodes: 2 }, calls: 20, signal }
    : { sizes: [1000, 10_000, 100_000], users: { count: 10_000, episodes: 5 }, calls: 200, signal };
  try {
    const results: Result[] = [];
    if (only.includes("one")) results.push(...(await measureOneUser(urlOf("one"), settings)));
    if (only.includes("users")) results.push(...(await measureUsers(urlOf("users"), settings)));
    for (const [title, group] of Map.groupBy(results, ({ measure }) => measure))
      console.info(`\n${title}\n${table(group)}`);
    if (values.json !== undefined) await writeResults(values.json, results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (values.help) console.info(help);
else await runCommand(run);
