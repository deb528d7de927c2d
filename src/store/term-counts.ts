/** How often each term occurs among those of an entry. */
export function termCounts(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** How often each of the terms asked for occurs in an entry's, which are one text with spaces between. */
export function countsOf(text: string, asked: readonly string[]): readonly number[] {
  const counts = termCounts(text.split(" "));
  return asked.map((term) => counts.get(term) ?? 0);
}
