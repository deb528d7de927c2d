import type { ImportProblem } from "./imported.ts";
import { type JsonValue, parsedValue } from "./json-values.ts";
import { linesOf } from "./lines.ts";

/** The values of a JSON Lines file; a damaged line is a problem, and not the end. Empty lines count as lines only. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonValue | ImportProblem> {
  for await (const { number, text: line } of linesOf(text)) {
    if (line?.trim() !== "") yield parsedValue(line, number, "line");
  }
}
