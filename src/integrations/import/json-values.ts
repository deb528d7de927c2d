import { FluxError } from "../../model/errors.ts";
import { maxUnits } from "./decode.ts";
import { type ImportProblem, problem } from "./imported.ts";

export interface JsonValue {
  readonly type: "value";
  /** Its place in the file, from 1. */
  readonly number: number;
  readonly value: unknown;
}

/**
 * The values of a JSON file one by one: those of the list that it is, or values that follow each other. Only one of them
 * is in memory at a time.
 *
 * @param what a value, as problems call it
 * @throws FluxError `invalid_argument` for a file that holds no JSON list and no JSON object
 */
export async function* jsonValues(
  text: AsyncIterable<string>,
  what: string,
  longest = maxUnits,
): AsyncGenerator<JsonValue | ImportProblem> {
  const splitter = new Splitter(longest);
  let number = 0;
  for await (const part of text) {
    for (const source of splitter.feed(part)) {
      number += 1;
      yield parsedValue(source, number, what);
    }
  }
  if (splitter.incomplete) yield problem(`${what} ${number + 1}`, "the file ends in the middle of it");
}

/** @param source undefined for what is too long */
export function parsedValue(
  source: string | undefined,
  number: number,
  what: string,
): JsonValue | ImportProblem {
  if (source === undefined) return problem(`${what} ${number}`, "is too long");
  try {
    return { type: "value", number, value: JSON.parse(source) };
  } catch {
    return problem(`${what} ${number}`, "is no JSON");
  }
}

const quote = 34;
const backslash = 92;

/** Finds where values begin and end, by their brackets alone; whether they are JSON is seen when they are parsed. */
class Splitter {
  readonly #longest: number;
  /** Whether the file is a list, whose bracket is no part of its values; undefined until its first character was seen. */
  #list: boolean | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** What was seen of a value that is not complete; undefined when it is too long. */
  #pending: string | undefined = "";
  #inside = false;
  #ended = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Whether a value, or the list, was begun and not ended. */
  get incomplete(): boolean {
    return this.#inside || (this.#list === true && !this.#ended);
  }

  /** The values that end in this part; undefined for those that are too long. */
  feed(part: string): (string | undefined)[] {
    const values: (string | undefined)[] = [];
    let start = this.#inside ? 0 : -1;
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (unit === backslash) this.#escaped = true;
        else if (unit === quote) this.#inString = false;
        continue;
      }
      if (!this.#inside) {
        if (this.#begins(part.charAt(i))) start = i;
        else continue;
      }
      const character = part.charAt(i);
      if (unit === quote) this.#inString = true;
      else if (character === "{" || character === "[") this.#depth += 1;
      else if (character === "}" || character === "]") {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        // In a list, values that are no objects end with the comma, or the bracket, behind them.
        const end = this.#depth < 0 ? i : i + 1;
        values.push(this.#take(part.slice(start, end)));
        if (this.#depth < 0) this.#ended = true;
        this.#depth = 0;
        start = -1;
      } else if (character === "," && this.#depth === 0) {
        values.push(this.#take(part.slice(start, i)));
        start = -1;
      }
    }
    if (this.#inside && this.#pending !== undefined) {
      const rest = part.slice(Math.max(0, start));
      this.#pending = this.#pending.length + rest.length > this.#longest ? undefined : this.#pending + rest;
    }
    return values;
  }

  /** Whether a character outside of values is the first of one. */
  #begins(character: string): boolean {
    if (/\s/.test(character) || this.#ended) return false;
    if (this.#list === undefined) {
      if (character !== "[" && character !== "{") {
        throw new FluxError("invalid_argument", "The file is no JSON list of objects", {
          hint: "Choose another --format.",
        });
      }
      this.#list = character === "[";
      if (this.#list) return false;
    } else if (character === "," && this.#list) return false;
    else if (character === "]" && this.#list) {
      this.#ended = true;
      return false;
    }
    this.#inside = true;
    return true;
  }

  #take(rest: string): string | undefined {
    const value =
      this.#pending === undefined || this.#pending.length + rest.length > this.#longest
        ? undefined
        : this.#pending + rest;
    this.#pending = "";
    this.#inside = false;
    return value;
  }
}
