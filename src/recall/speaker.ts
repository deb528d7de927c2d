import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import { type AnalysedQuery, wordsOf } from "./query.ts";

// Not names of anybody: a question about "the user" is not one about somebody of that name.
const roles: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "tool",
  "human",
  "ai",
  "bot",
  "agent",
]);

/** The authors among the candidates whom the query names, by their full or first name. */
export function authorsAskedAbout(query: AnalysedQuery, { authors }: Pool): ReadonlySet<string> {
  return new Set([...authors].filter((author) => names(query, author)));
}

function names({ words }: AnalysedQuery, author: string): boolean {
  const [first] = wordsOf(author);
  return first !== undefined && !roles.has(first) && words.has(first);
}

/** 1 for what was said by somebody whom the query names. */
export function scoreSpeakers(authors: ReadonlySet<string>, { candidates }: Pool): Float64Array {
  if (authors.size === 0) return new Float64Array(candidates.length);
  return column(candidates, ({ grain }) => (grain.author !== undefined && authors.has(grain.author) ? 1 : 0));
}
