import { parse } from "yaml";
import { cutToUnits } from "../../text/cut.ts";
import { fieldsOf, firstOf, given, metadataOf, stringOf, timeOf } from "./fields.ts";
import { type Imported, type ImportSource, imported, problem } from "./imported.ts";
import { linesOf } from "./lines.ts";
import { dateInName, dayInName, Paragraphs } from "./plain-text.ts";

/**
 * Reads Markdown: the paragraphs under each heading, as texts that begin with the headings above them, since a paragraph
 * seldom says again what it is about. The front matter may give date, author, title and tags.
 */
export async function* readMarkdown({ name, text }: ImportSource): AsyncGenerator<Imported> {
  const document = new Document(name);
  for await (const { number, text: line } of linesOf(text)) {
    if (line === undefined) yield problem(`line ${number}`, "is too long");
    else yield* document.add(line, number);
  }
  yield* document.end();
}

interface FrontMatter {
  readonly at: number | undefined;
  readonly author: string | undefined;
  readonly title: string | undefined;
  readonly tags: readonly string[] | undefined;
}

const delimiter = /^---\s*$/;
/** Longer front matter is none. */
const maxFrontMatterLines = 500;

/** Longer lines are no headings, and would take long to look at. */
const longestHeading = 1000;

/** Of the headings that a text begins with, in UTF-16 units. */
const longestPath = 300;

function headingOf(line: string): readonly (string | undefined)[] {
  if (line.length > longestHeading) return [];
  return /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line) ?? [];
}

class Document {
  readonly #name: string;
  #front: FrontMatter;
  /** Lines of front matter that was begun. */
  #opening: string[] | undefined;
  readonly #headings: (string | undefined)[] = [];
  #paragraphs = new Paragraphs();
  /** The marks that close the block of code that was begun. */
  #fence: string | undefined;
  /** The line before, which turns into a heading when it is underlined. */
  #last: string | undefined;

  constructor(name: string) {
    this.#name = name;
    this.#front = { at: dateInName(name), author: undefined, title: undefined, tags: undefined };
  }

  *add(line: string, number: number): Generator<Imported> {
    if (number === 1 && delimiter.test(line)) this.#opening = [];
    else if (this.#opening === undefined) yield* this.#addLine(line);
    else if (delimiter.test(line) || /^\.\.\.\s*$/.test(line)) yield* this.#closeFrontMatter();
    else if (this.#opening.push(line) > maxFrontMatterLines) yield* this.#noFrontMatter();
  }

  *end(): Generator<Imported> {
    if (this.#opening !== undefined) yield* this.#noFrontMatter();
    yield* this.#flush();
  }

  *#closeFrontMatter(): Generator<Imported> {
    let fields: unknown;
    try {
      fields = parse((this.#opening ?? []).join("\n"), { maxAliasCount: 0 });
    } catch {
      yield problem("front matter", "is no YAML");
      return yield* this.#noFrontMatter();
    }
    this.#opening = undefined;
    const front = fieldsOf(fields);
    const { author, title, tags } = front;
    const date = firstOf(front, ["date", "created", "created_at", "updated"]);
    const at = timeOf(date instanceof Date ? date.getTime() : date);
    if (date !== undefined && at === undefined)
      yield problem("front matter", "has a date that is not ISO 8601");
    this.#front = {
      at: at ?? this.#front.at,
      author: stringOf(author),
      title: stringOf(title),
      tags: Array.isArray(tags) ? tags.flatMap((tag) => stringOf(tag) ?? []) : undefined,
    };
  }

  /** What looked like front matter is text. */
  *#noFrontMatter(): Generator<Imported> {
    const lines = this.#opening ?? [];
    this.#opening = undefined;
    for (const line of ["---", ...lines]) yield* this.#addLine(line);
  }

  *#addLine(line: string): Generator<Imported> {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (this.#fence !== undefined) {
      if (mark?.startsWith(this.#fence) && /^\s*[`~]+\s*$/.test(line)) this.#fence = undefined;
      return yield* this.#text(line);
    }
    this.#fence = mark;
    const [, level, heading] = headingOf(line);
    if (level !== undefined) return yield* this.#heading(level.length, heading ?? "");
    const underline = /^ {0,3}(=+|-{2,})\s*$/.exec(line)?.[1];
    if (underline === undefined || this.#last === undefined) return yield* this.#text(line);
    const title = this.#last.trim();
    this.#last = undefined;
    yield* this.#heading(underline.startsWith("=") ? 1 : 2, title);
  }

  *#text(line: string): Generator<Imported> {
    // A line waits for the next one, which may underline it.
    const before = this.#last;
    this.#last = line.trim() === "" || this.#fence !== undefined ? undefined : line;
    if (before !== undefined) yield* this.#items(this.#paragraphs.add(before));
    if (this.#last === undefined) yield* this.#items(this.#paragraphs.add(line));
  }

  *#heading(level: number, title: string): Generator<Imported> {
    yield* this.#flush();
    this.#headings.length = level - 1;
    this.#headings[level - 1] = title;
  }

  *#flush(): Generator<Imported> {
    if (this.#last !== undefined) yield* this.#items(this.#paragraphs.add(this.#last));
    this.#last = undefined;
    yield* this.#items(this.#paragraphs.end());
  }

  *#items(texts: readonly string[]): Generator<Imported> {
    const { at, author, title, tags } = this.#front;
    const headings = this.#headings.flatMap((part) => stringOf(part) ?? []);
    const heading = headings.join(" > ");
    const path = cutToUnits([...this.#pageAbove(headings), ...headings].join(" > "), longestPath);
    const metadata = metadataOf({ source: this.#name, title, heading: stringOf(heading), tags });
    for (const paragraphs of texts) {
      const text = path === "" ? paragraphs : `${path}\n${paragraphs}`;
      const origin = { ...given("statedAt", at), ...given("author", author), ...metadata };
      yield imported({ text, provenance: "external_source", ...origin }, "markdown", heading, text);
    }
  }

  /** What the page is called, unless its first heading says it: its title, or else its file, whose day is its time. */
  #pageAbove(headings: readonly string[]): string[] {
    const file = this.#headings[0] === undefined ? pageName(this.#name) : undefined;
    const title = this.#front.title ?? file;
    return title === undefined || title.toLowerCase() === headings[0]?.toLowerCase() ? [] : [title];
  }
}

/** "Jana Novak" for Jana Novak.md; nothing for 2026-03-14.md, or standard input. */
function pageName(file: string): string | undefined {
  const [, name = ""] = /^(.*)\.[a-z]+$/is.exec(file) ?? [];
  return stringOf(name.replace(dayInName, "").replace(/^[\s_-]+|[\s_-]+$/g, ""));
}
