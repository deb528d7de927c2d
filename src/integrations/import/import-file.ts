import type { FluxMemory, ImportReport } from "../../flux/flux-memory.ts";
import { decodeText } from "./decode.ts";
import { type FoundFormat, formatOf, importers, sniffedUnits } from "./formats.ts";
import { type ImportProblem, type ImportSource, problem } from "./imported.ts";
import { readOwnExport } from "./own-export.ts";
import { type StoreImportedOptions, type StoreImportedReport, storeImported } from "./store-imported.ts";

export interface ImportFileOptions extends StoreImportedOptions {
  /** One of `importFormats`. */
  readonly format: string;
}

export interface ImportFileReport extends StoreImportedReport {
  readonly format: FoundFormat;
}

/**
 * Imports a file into a memory. Nothing is stored twice, however often that is done.
 *
 * @param file its name, without its folder, and its content
 * @throws FluxError `invalid_argument` for a format that is not known, or a file that is not of it; as `storeImported` and
 *   `FluxMemory.import`
 */
export async function importFile(
  memory: FluxMemory,
  file: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> },
  { format: wanted, ...options }: ImportFileOptions,
): Promise<ImportFileReport> {
  const { name } = file;
  let replaced = 0;
  const decoded = decodeText(file.bytes, () => {
    replaced += 1;
    options.onProblem?.(problem("the file", "has bytes that are not UTF-8, which became U+FFFD"));
  });
  const { beginning, text } = await begun(decoded);
  const format = formatOf(wanted, name, beginning);
  const source = { name, text };
  const binary = wanted === "auto" && format === "text" ? binaryProblem(beginning) : undefined;
  if (binary !== undefined) {
    await decoded.return(undefined);
    options.onProblem?.(problem("the file", binary));
    return { ...nothing, format, problems: 1 + replaced };
  }
  const report =
    format === "export"
      ? await importOwnExport(memory, source, options)
      : await storeImported(memory, importers[format](source), options);
  return { ...report, format, problems: report.problems + replaced };
}

const nothing = { stored: 0, known: 0, mentioned: 0, erased: 0 } as const;

/** What keeps a file from being text; undefined when nothing does. Exports of chats arrive as archives. */
function binaryProblem(beginning: string): string | undefined {
  if (beginning.startsWith("PK\u0003\u0004"))
    return "is an archive, or a document in one: unpack it, and import the files in it";
  return beginning.startsWith("%PDF-") || beginning.includes("\0") ? "is no text" : undefined;
}

async function importOwnExport(
  memory: FluxMemory,
  source: ImportSource,
  { signal, onProblem, onProgress }: StoreImportedOptions,
): Promise<StoreImportedReport> {
  let problems = 0;
  const note = (found: ImportProblem): void => {
    problems += 1;
    onProblem?.(found);
  };
  const reportOf = ({ stored, mentioned }: ImportReport): StoreImportedReport => ({
    ...{ stored, known: mentioned, mentioned: 0, erased: 0, problems },
  });
  const report = await memory.import(readOwnExport(source, note), {
    signal,
    onProgress: (report) => onProgress?.(reportOf(report)),
  });
  if (report.expired > 0) note(problem("the file", `has ${report.expired} records that have expired since`));
  if (report.conflicts > 0)
    note(problem("the file", `has ${report.conflicts} lines that do not go together with what is there`));
  return reportOf(report);
}

/** The beginning of a text, and the text as a whole. */
async function begun(
  text: AsyncGenerator<string>,
): Promise<{ readonly beginning: string; readonly text: AsyncIterable<string> }> {
  let beginning = "";
  while (beginning.length < sniffedUnits) {
    const { done, value } = await text.next();
    if (done) break;
    beginning += value;
  }
  async function* whole(): AsyncGenerator<string> {
    yield beginning;
    yield* text;
  }
  return { beginning, text: whole() };
}
