import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { type ImportFormat, importFormats } from "../../integrations/import/format-names.ts";
import type { ImportFileReport } from "../../integrations/import/import-file.ts";
import type { ImportProblem } from "../../integrations/import/imported.ts";
import { FluxError } from "../../model/errors.ts";
import { act, instanceCommand } from "../command.ts";
import type { Output } from "../output.ts";
import { printableLine } from "../printable.ts";
import { Progress } from "../progress.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";
import { standardInput } from "../standard-input.ts";

interface ImportArguments extends ScopeArguments {
  readonly format: ImportFormat;
  readonly again?: true;
}

/** Problems of a file that are told one by one. */
const toldProblems = 20;

export function addImport(program: Command): void {
  userOptions(
    instanceCommand(
      program,
      "import <file...>",
      "Imports notes, conversations and exports; - is standard input. What was imported before is not stored again.",
    ),
  )
    .option("--session <id>", "the session of texts that have none of their own")
    .option("--agent <id>", "the agent that what is imported belongs to")
    .addOption(new Option("--format <format>", "what the files are").choices(importFormats).default("auto"))
    .option("--again", "store what was imported before and erased since once more")
    .action(
      act<ImportArguments, [files: string[]]>(async ({ instance, output, signal }, options, files) => {
        const { openMemory } = await import("../open-memory.ts");
        const { importFile } = await import("../../integrations/import/import-file.ts");
        const { format, again } = options;
        const scope = scopeOf(options);
        // Before anything is stored.
        const sources = await Promise.all(files.map(async (file) => ({ file, path: await readable(file) })));
        await using open = await openMemory(instance);
        const memory = open.flux.for(scope);
        const reports: (ImportFileReport & { readonly file: string })[] = [];
        for (const { file, path } of sources) {
          const progress = new Progress();
          const problems = new Problems(output, progress, file);
          try {
            const bytes: AsyncIterable<Uint8Array> =
              path === undefined ? standardInput(signal) : createReadStream(path, { signal });
            const name = path === undefined ? "standard input" : basename(path);
            const report = await importFile(
              memory,
              { name, bytes },
              {
                ...{ format, again, signal, scope },
                onProblem: (problem) => problems.tell(problem),
                onProgress: (report) => progress.show(`${printableLine(file)}: ${countsOf(report)}`),
              },
            );
            reports.push({ file, ...report });
          } finally {
            progress.clear();
            problems.end();
          }
        }
        const lines = reports.map(
          (report) => `${printableLine(report.file)} (${report.format}): ${countsOf(report)}`,
        );
        output.print({ files: reports }, lines.join("\n"));
        return undefined;
      }),
    );
}

/** The path of a file that can be read; undefined for standard input. */
async function readable(file: string): Promise<string | undefined> {
  if (file === "-") return undefined;
  const path = resolve(file);
  try {
    await access(path, constants.R_OK);
    if (!(await stat(path)).isDirectory()) return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new FluxError("invalid_argument", `${printableLine(file)} cannot be read (${code})`, { cause });
  }
  throw new FluxError("invalid_argument", `${printableLine(file)} is a folder`, {
    hint: `Name the files in it, such as ${printableLine(join(file, "*.md"))}`,
  });
}

function countsOf(report: Omit<ImportFileReport, "format">): string {
  const { stored, known, mentioned, erased, problems } = report;
  const parts = [`${stored} stored`];
  if (known > 0) parts.push(`${known} imported before`);
  if (mentioned > 0) parts.push(`${mentioned} known already`);
  if (erased > 0) parts.push(`${erased} erased before and left out (--again stores them)`);
  if (problems > 0) parts.push(problems === 1 ? "1 problem" : `${problems} problems`);
  return parts.join(", ");
}

/** Tells the first problems of a file, and how many there were. */
class Problems {
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #file: string;
  #count = 0;

  constructor(output: Output, progress: Progress, file: string) {
    this.#output = output;
    this.#progress = progress;
    this.#file = printableLine(file);
  }

  tell({ place, problem }: ImportProblem): void {
    this.#count += 1;
    if (this.#count > toldProblems) return;
    this.#progress.clear();
    this.#output.note(`${this.#file}: ${printableLine(place)}: ${problem}`);
  }

  end(): void {
    const more = this.#count - toldProblems;
    if (more > 0) this.#output.note(`${this.#file}: ${more} more problems`);
  }
}
