import { type ImportProblem, problem } from "./imported.ts";
import type { JsonValue } from "./json-values.ts";
import { linesOf } from "./lines.ts";

/** The values of a JSON Lines file; a damaged line is a problem, and not the end. Empty lines count as lines only. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonValue | ImportProblem> {
  for await (const { number, text: line } of linesOf(text)) {
    if (line === undefined) yield problem(`line ${number}`, "is too long");
    else if (line.trim() !== "") yield parsed(line, number);
  }
}

function parsed(line: string, number: number): JsonValue | ImportProblem {
  try {
    return { type: "value", number, value: JSON.parse(line) };
  } catch {
    return problem(`line ${number}`, "is no JSON");
  }
}
