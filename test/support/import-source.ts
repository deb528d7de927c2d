import type { Imported, Importer, ImportProblem } from "../../src/integrations/import/imported.ts";

/** A source in parts of a few characters, so that every boundary is inside of something. */
export async function* inParts(text: string, units = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += units) yield text.slice(at, at + units);
}

export async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** What an importer finds in a text. */
export async function readAll(importer: Importer, text: string, name = "notes"): Promise<Imported[]> {
  return collected(importer({ name, text: inParts(text) }));
}

export function itemsOf(found: readonly Imported[]) {
  return found.flatMap((entry) => (entry.type === "item" ? [entry.item] : []));
}

export function problemsOf(found: readonly Imported[]): Pick<ImportProblem, "place" | "problem">[] {
  return found.flatMap((entry) =>
    entry.type === "problem" ? [{ place: entry.place, problem: entry.problem }] : [],
  );
}
