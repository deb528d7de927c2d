/** From this share of common words on, two texts say the same: one word of ten may differ, as long as it tells nothing. */
const alike = 0.9;

/** Words and what holds them together: "don't", "U2". */
const word = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
/** What another statement differs in, however long the two are: figures and denials. */
const telling =
  /\p{N}|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|not|no|never|cannot)$|n['’]t$/iu;

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

/** Whether a text has a word that the other one lacks and that tells: a figure, a denial, or a name within a sentence. */
function tells({ text }: Words, other: Words): boolean {
  for (const { 0: written, index } of text.matchAll(word)) {
    const isName =
      /^\p{Lu}/u.test(written) && /[\p{L}\p{N},;] $/u.test(text.slice(Math.max(0, index - 2), index));
    if (!isName && !telling.test(written)) continue;
    const parts = written.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    if (parts.some((part) => !other.all.has(part))) return true;
  }
  return false;
}
