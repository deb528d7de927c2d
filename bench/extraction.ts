/** `npm run bench:extraction`: what the rules find in labelled sentences. See docs/extraction-rules.md. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { extractByRules } from "../src/facts/rules/extract.ts";
import { runCommand } from "./command.ts";
import { extractionReport, extractionTable, readLabels } from "./extraction-report.ts";

const help = `npm run bench:extraction [-- options]

  --file FILE  labelled texts, by default bench/facts-dev.json
  --errors     writes what was missed and what was wrong, text by text
  --json FILE  writes the results there, too`;

const { values } = parseArgs({
  options: {
    file: { type: "string", default: join(import.meta.dirname, "facts-dev.json") },
    errors: { type: "boolean", default: false },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(): Promise<void> {
  const texts = readLabels(JSON.parse(await readFile(values.file, "utf8")));
  const report = extractionReport(texts, ({ text, saidAt, zone, speaker }) =>
    extractByRules(text, {
      saidAt: Date.parse(saidAt),
      ...(zone === undefined ? {} : { zone }),
      ...(speaker === undefined ? {} : { speaker }),
    }),
  );
  if (values.errors) for (const line of report.errors) console.info(line);
  console.info(extractionTable(report));
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ file: values.file, ...report }, undefined, 2)}\n`);
}

if (values.help) console.info(help);
else await runCommand(run);
