import type { ExportLine, RecordLine } from "../../src/flux/export-line.ts";
import type { FluxMemory } from "../../src/flux/flux-memory.ts";

/** The lines of an export, as they come out of a file. */
export async function exported(memory: FluxMemory): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of memory.export()) lines.push(JSON.parse(JSON.stringify(line)));
  return lines;
}

/** Lines without what an import stamps itself. */
export function kept(lines: readonly ExportLine[]): object[] {
  return lines.slice(1).map((line) => {
    const { recordedAt: _at, version: _version, repaired: _repaired, ...rest } = line as RecordLine;
    return rest;
  });
}
