import type { Json } from "../model/json.ts";

/** A value that was read, and where it ends. */
export interface ReadValue {
  readonly value: Json;
  /** UTF-16 offset behind it. */
  readonly end: number;
}

const deepest = 64;
const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`" };
const words: Readonly<Record<string, Json>> = {
  ...{ true: true, True: true, TRUE: true, false: false, False: false, FALSE: false },
  ...{ null: null, None: null, NULL: null, undefined: null, NaN: null, nil: null },
};

/**
 * Reads the object or list that begins at an offset, as models write them: with comments, quotes of any kind or none around
 * keys, commas that are missing or too many, line breaks and quotes inside of texts, and the words of other languages for true,
 * false and null. Where the text ends too early, what was begun is closed, and a value that was cut off itself is left out.
 * In one pass over the text, but for looks at what follows a quote.
 */
export function readLenient(text: string, start: number): ReadValue | undefined {
  const reader = new Reader(text, start);
  const value = reader.value(0);
  return value === undefined || typeof value !== "object" || value === null
    ? undefined
    : { value, end: reader.at };
}

class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Undefined where there is none, or only a part of one. */
  value(depth: number): Json | undefined {
    this.#skip();
    const first = this.#text.charAt(this.at);
    if (first === "{" || first === "[") {
      // Deeper than anything that was asked for.
      if (depth === deepest) {
        this.at = this.#text.length;
        return undefined;
      }
      return first === "{" ? this.#object(depth) : this.#list(depth);
    }
    if (Object.hasOwn(closing, first)) return this.#string(first);
    return this.#bare();
  }

  #object(depth: number): Json {
    const entries: [string, Json][] = [];
    this.at += 1;
    for (;;) {
      this.#skip(",;");
      const next = this.#text.charAt(this.at);
      if (next === "" || next === "}" || next === "]") break;
      const before = this.at;
      const key = Object.hasOwn(closing, next) ? this.#string(next) : this.#key();
      this.#skip(":=>");
      const value = key === undefined ? undefined : this.value(depth + 1);
      if (key !== undefined && value !== undefined) entries.push([key, value]);
      if (this.at === before) this.at += 1;
    }
    this.#close("}");
    return Object.fromEntries(entries);
  }

  #list(depth: number): Json {
    const items: Json[] = [];
    this.at += 1;
    for (;;) {
      this.#skip(",;");
      const next = this.#text.charAt(this.at);
      if (next === "" || next === "]" || next === "}") break;
      const before = this.at;
      const value = this.value(depth + 1);
      if (value !== undefined) items.push(value);
      if (this.at === before) this.at += 1;
    }
    this.#close("]");
    return items;
  }

  /** A bracket of the other kind closes what is around it, if anything is: one was forgotten. */
  #close(bracket: string): void {
    if (this.#text.charAt(this.at) === bracket) this.at += 1;
  }

  #string(open: string): string | undefined {
    const close = closing[open] as string;
    let value = "";
    this.at += 1;
    for (; this.at < this.#text.length; this.at++) {
      const char = this.#text.charAt(this.at);
      if (char === "\\") value += this.#escaped();
      else if (char === close || (open === "“" && char === '"')) {
        if (!this.#endsHere()) value += char;
        else {
          this.at += 1;
          return value;
        }
      } else value += char;
    }
    return undefined;
  }

  /** At a backslash; moves to the last unit of the escape. */
  #escaped(): string {
    const char = this.#text.charAt(this.at + 1);
    if (char === "u") {
      const digits = this.#text.slice(this.at + 2, this.at + 6);
      if (/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.at += 5;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    this.at += 1;
    return escapes[char] ?? char;
  }

  /** Whether a quote ends its text, and is none inside of it: what follows goes on with the structure around it. */
  #endsHere(): boolean {
    const after = /\s*(?:\/\/[^\n]*\s*)?/y;
    after.lastIndex = this.at + 1;
    after.exec(this.#text);
    const next = this.#text.charAt(after.lastIndex);
    if (next === "" || next === "}" || next === "]" || next === ":") return true;
    // A text may go on behind a comma, and an object or a list behind a comma begins with a bracket, a quote or a word and a colon.
    if (next === ",") {
      const more = /,\s*(?:["'“‘`{[\]}]|[\w$-]+\s*:|-?\d|true|false|null|$)/iy;
      more.lastIndex = after.lastIndex;
      return more.test(this.#text);
    }
    // The comma was forgotten.
    return (
      after.lastIndex > this.at + 1 &&
      /["'“{[]/.test(next) &&
      this.#text.slice(this.at, after.lastIndex).includes("\n")
    );
  }

  #key(): string | undefined {
    const key = /[^\s:="'{}[\],]+/y;
    key.lastIndex = this.at;
    const [found] = key.exec(this.#text) ?? [];
    this.at += found?.length ?? 0;
    return found;
  }

  /** A number or a word. At the end of the text it may be a part of one. */
  #bare(): Json | undefined {
    const word = /[^\s,;:{}[\]"]+/y;
    word.lastIndex = this.at;
    const [found] = word.exec(this.#text) ?? [];
    if (found === undefined) return undefined;
    this.at += found.length;
    if (Object.hasOwn(words, found)) return words[found];
    const number = Number(found);
    return this.at === this.#text.length || !Number.isFinite(number) ? undefined : number;
  }

  /** White space, comments, dots that stand for more, and the given marks. */
  #skip(marks = ""): void {
    const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\.{3}|…)+/y;
    for (;;) {
      space.lastIndex = this.at;
      if (space.test(this.#text)) this.at = space.lastIndex;
      else if (this.at < this.#text.length && marks.includes(this.#text.charAt(this.at))) this.at += 1;
      else return;
    }
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
