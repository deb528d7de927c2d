import { open, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { act, instanceCommand } from "../command.ts";
import { printable } from "../printable.ts";
import { Progress } from "../progress.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";

interface ExportArguments extends ScopeArguments {
  readonly output?: string;
  readonly format: "jsonl" | "markdown";
}

export function addExport(program: Command): void {
  const format = new Option("--format <format>", "jsonl can be imported as it was, markdown be read");
  userOptions(
    instanceCommand(program, "export", "Writes everything in the memory of a user.", { json: false }),
  )
    .option("--output <file>", "write to this file (default: standard output)")
    .addOption(format.choices(["jsonl", "markdown"]).default("jsonl"))
    .action(
      act<ExportArguments>(async ({ instance, output, signal }, options) => {
        const { openMemory } = await import("../open-memory.ts");
        const { exportText } = await import("../export-text.ts");
        const { output: file, format } = options;
        const path = file === undefined ? undefined : resolve(file);
        await using memory = await openMemory(instance);
        const lines = memory.flux.for(scopeOf(options)).export({ signal });
        const progress = new Progress();
        let records = -1;
        const counted = async function* () {
          for await (const line of lines) {
            records += 1;
            if (path !== undefined) progress.show(`${records} records`);
            yield line;
          }
        };
        try {
          if (path === undefined) await writeOut(exportText(counted(), format));
          else await writeFile(path, exportText(counted(), format));
        } finally {
          progress.clear();
        }
        if (path !== undefined) output.note(`${path}: ${records} records`);
        return undefined;
      }),
    );
}

async function writeOut(text: AsyncIterable<string>): Promise<void> {
  for await (const part of text) {
    // A file is to hold what is stored; a terminal would act on it.
    const shown = process.stdout.isTTY ? printable(part) : part;
    if (!process.stdout.write(shown)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

/** Complete, or not there: under another name until it is. Only its owner can read it. */
async function writeFile(path: string, text: AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    for await (const part of text) await handle.write(part);
    await handle.sync();
    await handle.close();
    await rename(unfinished, path);
  } catch (error) {
    // Closed already, or closing is what failed: the first failure is told.
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}
