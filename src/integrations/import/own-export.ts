import type { ExportLine } from "../../flux/flux-memory.ts";
import { FluxError } from "../../model/errors.ts";
import { fieldsOf } from "./fields.ts";
import type { ImportProblem, ImportSource } from "./imported.ts";
import { jsonLines } from "./json-lines.ts";

/**
 * The lines of an export of this package, for `FluxMemory.import`.
 *
 * @param onProblem told of each line that is damaged, which is left out
 * @throws FluxError `invalid_argument` for a file of another kind, `outdated` for one of a later version
 */
export async function* readOwnExport(
  { text }: ImportSource,
  onProblem: (problem: ImportProblem) => void,
): AsyncGenerator<ExportLine> {
  let begun = false;
  for await (const line of jsonLines(text)) {
    if (line.type === "problem") {
      onProblem(line);
      continue;
    }
    const fields = fieldsOf(line.value);
    if (!begun) checkHeader(fields);
    begun = true;
    yield fields as unknown as ExportLine;
  }
}

/** Whether a value is the first line of an export of this package. */
export function isExportHeader(value: unknown): boolean {
  return fieldsOf(value).type === "flux-memory";
}

function checkHeader(fields: Readonly<Record<string, unknown>>): void {
  if (!isExportHeader(fields))
    throw new FluxError("invalid_argument", "The file is no export of flux-memory");
  if (fields.version === 1) return;
  throw new FluxError("outdated", "The export was made by a later version of flux-memory", {
    hint: "Update flux-memory, and import again.",
  });
}
