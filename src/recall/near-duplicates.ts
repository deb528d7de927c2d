/** From this share of common words on, two texts say the same: one word of ten may differ. */
const alike = 0.9;

/**
 * Moves texts that say what a better one says already behind all others, in their order: a "yes" said ten times takes one
 * place among the first. Nothing is dropped, so that a result that has room has them all.
 */
export function demoteNearDuplicates<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const first: T[] = [];
  const later: T[] = [];
  const seen: ReadonlySet<string>[] = [];
  for (const item of items) {
    const words = new Set(
      textOf(item)
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? [],
    );
    if (seen.some((other) => areAlike(words, other))) later.push(item);
    else {
      first.push(item);
      seen.push(words);
    }
  }
  return [...first, ...later];
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < alike * Math.max(a.size, b.size)) return false;
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  const union = a.size + b.size - common;
  return union === 0 || common / union >= alike;
}
