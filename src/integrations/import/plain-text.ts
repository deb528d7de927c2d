import { cutToUnits } from "../../text/cut.ts";
import { given, metadataOf, timeOf } from "./fields.ts";
import { type Imported, type ImportSource, imported, problem } from "./imported.ts";
import { linesOf } from "./lines.ts";

/** A text has whole paragraphs up to about this many UTF-16 units; a longer paragraph is a text of its own. */
const packedUnits = 1200;

/** Reads a text: paragraphs, which empty lines separate, packed into texts of some length. */
export async function* readText({ name, text }: ImportSource): AsyncGenerator<Imported> {
  const packed = new Paragraphs();
  const metadata = metadataOf({ source: name });
  const at = dateInName(name);
  const item = (content: string): Imported =>
    imported(
      { text: content, provenance: "external_source", ...given("statedAt", at), ...metadata },
      ...["text", content],
    );
  for await (const { number, text: line } of linesOf(text)) {
    if (line === undefined) yield problem(`line ${number}`, "is too long");
    else for (const content of packed.add(line)) yield item(content);
  }
  for (const content of packed.end()) yield item(content);
}

/** The day in the name of a note, such as 2026-03-14.md. */
export const dayInName = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/;

export function dateInName(name: string): number | undefined {
  return timeOf(dayInName.exec(name)?.[0]);
}

/** Longest paragraph that is kept together, in UTF-16 units: a file may have no empty line at all. */
const longestParagraph = 100_000;

/** Packs lines into texts of whole paragraphs. */
export class Paragraphs {
  #packed = "";
  #paragraph: string[] = [];
  #units = 0;

  /** Takes a line, and returns what is packed by it. */
  add(line: string): string[] {
    if (line.trim() === "") return this.#close();
    const done: string[] = [];
    let rest = line;
    while (rest.length > longestParagraph) {
      const part = cutToUnits(rest, longestParagraph) || rest.slice(0, longestParagraph);
      done.push(...this.#close(), ...this.#keep(part), ...this.#close());
      rest = rest.slice(part.length);
    }
    return [...done, ...this.#keep(rest)];
  }

  #keep(line: string): string[] {
    const done = this.#units + line.length > longestParagraph ? this.#close() : [];
    this.#paragraph.push(line);
    this.#units += line.length + 1;
    return done;
  }

  end(): string[] {
    const done = this.#close();
    if (this.#packed !== "") done.push(this.#packed);
    this.#packed = "";
    return done;
  }

  #close(): string[] {
    const paragraph = this.#paragraph.join("\n");
    this.#paragraph = [];
    this.#units = 0;
    if (paragraph === "") return [];
    if (this.#packed === "") {
      this.#packed = paragraph;
      return [];
    }
    if (this.#packed.length + paragraph.length <= packedUnits) {
      this.#packed += `\n\n${paragraph}`;
      return [];
    }
    const done = this.#packed;
    this.#packed = paragraph;
    return [done];
  }
}
