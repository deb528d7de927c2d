/** From this share of common words on, two texts say the same: one word of ten may differ. */
const alike = 0.9;

/**
 * The first so many of the items once those that say what a better one says already stand behind all others, in their order: a
 * "yes" said ten times takes one place among the first, and all of them where there is room.
 *
 * @param repeats which items are known to say what another one says
 */
export function firstOfEach<T>(
  items: readonly T[],
  count: number,
  textOf: (item: T) => string,
  repeats: (item: T) => boolean = () => false,
): T[] {
  const first: T[] = [];
  const later: T[] = [];
  const seen: ReadonlySet<string>[] = [];
  for (const item of items) {
    if (first.length === count) break;
    if (repeats(item)) {
      later.push(item);
      continue;
    }
    const words = wordSet(textOf(item));
    if (seen.some((other) => areAlike(words, other))) later.push(item);
    else {
      first.push(item);
      seen.push(words);
    }
  }
  return [...first, ...later].slice(0, count);
}

/** Whether two texts say the same in nearly the same words. */
export function sayTheSame(a: string, b: string): boolean {
  return areAlike(wordSet(a), wordSet(b));
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? []);
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < alike * Math.max(a.size, b.size)) return false;
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  const union = a.size + b.size - common;
  return union === 0 || common / union >= alike;
}
