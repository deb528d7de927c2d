import type { ExportLine } from "../../flux/export-line.ts";
import { fieldsOf } from "./fields.ts";
import type { ImportProblem, ImportSource } from "./imported.ts";
import { jsonLines } from "./json-lines.ts";

/**
 * The lines of an export of this package, for `FluxMemory.import`, which checks them.
 *
 * @param onProblem told of each line that is no JSON, which is left out
 */
export async function* readOwnExport(
  { text }: ImportSource,
  onProblem: (problem: ImportProblem) => void,
): AsyncGenerator<ExportLine> {
  for await (const line of jsonLines(text)) {
    if (line.type === "problem") onProblem(line);
    else yield line.value as ExportLine;
  }
}

/** Whether a value is the first line of an export of this package. */
export function isExportHeader(value: unknown): boolean {
  return fieldsOf(value).type === "flux-memory";
}
