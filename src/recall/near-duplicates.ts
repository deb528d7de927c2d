/** From this share of common words on, two texts say the same: one word of ten may differ, as long as it tells nothing. */
const alike = 0.9;

/** What another statement differs in, however long the two are: figures, denials, and names within a sentence. */
const telling =
  /[\p{L}\p{M}]*\p{N}[\p{L}\p{M}\p{N}]*|(?<![\p{L}\p{N}])(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|not|no|never|cannot|\p{L}+n['’]?t)(?![\p{L}\p{N}])|(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{M}]+/gu;

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
  const seen: Words[] = [];
  for (const item of items) {
    if (first.length === count) break;
    if (repeats(item)) {
      later.push(item);
      continue;
    }
    const words = wordsOf(textOf(item));
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
  return areAlike(wordsOf(a), wordsOf(b));
}

interface Words {
  readonly all: ReadonlySet<string>;
  readonly text: string;
}

function wordsOf(text: string): Words {
  return { all: new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? []), text };
}

function areAlike(a: Words, b: Words): boolean {
  if (Math.min(a.all.size, b.all.size) < alike * Math.max(a.all.size, b.all.size)) return false;
  let common = 0;
  for (const word of a.all) if (b.all.has(word)) common += 1;
  const union = a.all.size + b.all.size - common;
  if (union > 0 && common / union < alike) return false;
  return !tells(a, b) && !tells(b, a);
}

/** Whether a text has a telling word that the other one lacks. */
function tells({ text }: Words, other: Words): boolean {
  const words = text.match(telling) ?? [];
  return words.some((word) => !other.all.has(word.toLowerCase()) && !hasContraction(word, other));
}

/** "don't" is two words and a mark in the set of all. */
function hasContraction(word: string, { text }: Words): boolean {
  return /['’]/.test(word) && text.toLowerCase().includes(word.toLowerCase());
}
