import type { ExportLine } from "../../flux/export-line.ts";
import { FluxError } from "../../model/errors.ts";
import { encode } from "./transport.ts";

/** Records that are sent at once, and UTF-16 units at which fewer are. */
const partRecords = 500;
const partLength = 4 * 2 ** 20;

/** A part of an import that is one itself, with the header of the whole. */
export interface ImportPart {
  readonly text: string;
  /** Records in the parts before it. */
  readonly before: number;
}

/**
 * An import in parts: not every `fetch` can send a stream. The same lines make the same parts, so that an import done again finds
 * what the first one stored.
 */
export async function* importParts(
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
): AsyncGenerator<ImportPart> {
  let header: string | undefined;
  let records = "";
  let count = 0;
  let before = 0;
  for await (const line of lines) {
    const text = `${encode(line)}\n`;
    if (header === undefined) {
      header = text;
      continue;
    }
    if (count === partRecords || (count > 0 && records.length + text.length > partLength)) {
      yield { text: header + records, before };
      before += count;
      records = "";
      count = 0;
    }
    records += text;
    count += 1;
  }
  // What there is to say of an import of a header alone, or of nothing at all, the service says.
  yield { text: (header ?? "") + records, before };
}

/** An error that names a line of a part, with the number that the line has in the whole. */
export function countedFrom({ before }: ImportPart, error: unknown): unknown {
  if (before === 0 || !FluxError.isInstance(error)) return error;
  const [start, number] = /^Line (\d+)\b/.exec(error.message) ?? [];
  if (start === undefined) return error;
  const message = `Line ${Number(number) + before}${error.message.slice(start.length)}`;
  return FluxError.fromJSON({ ...error.toJSON(), message });
}
