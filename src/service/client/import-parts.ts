import type { ExportLine, FactLine, ImportPart } from "../../flux/export-line.ts";
import { noteRenamed } from "../../flux/renamed-ids.ts";
import { FluxError } from "../../model/errors.ts";
import { encode } from "./transport.ts";

/** Records that are sent at once, and UTF-16 units at which fewer are. */
const partRecords = 500;
const partLength = 4 * 2 ** 20;

/** Some lines of an import. */
interface LinesPart {
  readonly text: string;
  /** Records in the parts before it. */
  readonly before: number;
  /** The records that it names: kind and id. */
  readonly names: ReadonlySet<string>;
}

/**
 * An import in parts: not every `fetch` can send a stream. The same lines make the same parts, so that an import done again finds
 * what the first one stored.
 */
export class PartedImport {
  readonly #renamed = new Map<string, string>();
  #begun: number | undefined;
  #header: ExportLine | undefined;

  /** The parts, each an import with a header of its own. What came of one is noted before the next is asked for. */
  async *parts(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
  ): AsyncGenerator<Pick<LinesPart, "text" | "before">> {
    for await (const { text, before, names } of this.#linesOf(lines))
      yield { text: this.#headerFor(names) + text, before };
  }

  /** What the service says of a part, for those behind it. */
  note({ begun, renamed = [] }: ImportPart): void {
    this.#begun = begun;
    for (const { name, id } of renamed) noteRenamed(this.#renamed, name, id);
  }

  async *#linesOf(lines: AsyncIterable<ExportLine> | Iterable<ExportLine>): AsyncGenerator<LinesPart> {
    let text = "";
    let count = 0;
    let before = 0;
    let names = new Set<string>();
    for await (const line of lines) {
      const next = `${encode(line)}\n`;
      const isFirst = this.#header === undefined;
      const begins = isFirst || isHeader(line);
      const full = count === partRecords || text.length + next.length > partLength;
      if (count > 0 && (full || begins)) {
        yield { text, before, names };
        before += count;
        text = "";
        count = 0;
        names = new Set();
      }
      if (begins) {
        if (!isFirst) before += 1;
        this.#header = line;
        continue;
      }
      text += next;
      count += 1;
      for (const name of namesIn(line)) names.add(name);
    }
    // What there is to say of an import of a header alone, or of nothing at all, the service says.
    yield { text, before, names };
  }

  #headerFor(names: ReadonlySet<string>): string {
    const header = this.#header;
    if (header === undefined) return "";
    // What is no header is sent as it is, to be refused.
    if (!isHeader(header)) return `${encode(header)}\n`;
    const renamed = [...names].flatMap((name) => {
      const id = this.#renamed.get(name);
      return id === undefined ? [] : [{ name, id }];
    });
    const part: ImportPart = this.#begun === undefined ? {} : { begun: this.#begun, renamed };
    return `${encode({ ...header, part })}\n`;
  }
}

function isHeader(line: ExportLine): boolean {
  return Object(line).type === "flux-memory";
}

/** The records that a line is about or rests on. It may be anything. */
function namesIn(line: ExportLine): string[] {
  const { type, kind = type, id, sources, evidence } = Object(line) as Partial<FactLine> & { kind?: string };
  const said = listOf(evidence).flatMap((one) => listOf(Object(one).sources));
  return [{ kind, id }, ...listOf(sources), ...said].map((one) => `${Object(one).kind} ${Object(one).id}`);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An error that names a line of a part, with the number that the line has in the whole. */
export function countedFrom({ before }: Pick<LinesPart, "before">, error: unknown): unknown {
  if (before === 0 || !FluxError.isInstance(error)) return error;
  const [start, number] = /^Line (\d+)\b/.exec(error.message) ?? [];
  if (start === undefined) return error;
  const message = `Line ${Number(number) + before}${error.message.slice(start.length)}`;
  return FluxError.fromJSON({ ...error.toJSON(), message });
}
