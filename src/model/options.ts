import { FluxError } from "./errors.ts";

type KeyOf<T> = T extends unknown ? keyof T : never;

/** The names of the properties of options: all that their type has, which the compiler sees to. */
export function optionNames<T>(names: { readonly [K in KeyOf<T>]-?: true }): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/**
 * A misspelt option would otherwise be left out, without a word.
 *
 * @param what the object, as a message calls it
 * @throws FluxError `invalid_argument`, with the name that was probably meant
 */
export function checkNames(options: object, what: string, names: ReadonlySet<string>): void {
  for (const name in options) {
    if (names.has(name)) continue;
    const nearest = nearestName(name, names);
    const known = `Known: ${[...names].join(", ")}.`;
    throw new FluxError("invalid_argument", `${what} has a property that is not known`, {
      hint: nearest === undefined ? known : `Perhaps ${nearest} was meant. ${known}`,
    });
  }
}

/** Names this long are no misspelt ones, and would take long to compare. */
const longestName = 64;

/** The name that differs in the fewest letters, if that is at most a third of them or they differ in case only. */
export function nearestName(name: string, names: ReadonlySet<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const lower = name.toLowerCase();
  const [best] = [...names]
    .map((known) => ({ known, distance: editDistance(lower, known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(1, Math.floor(known.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.known;
}

/**
 * Letters to insert, delete, replace, or swap with their neighbour, to turn one text into the other ("optimal string
 * alignment", the restricted Damerau-Levenshtein distance).
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const at = (list: readonly number[], place: number): number => list[place] as number;
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(before, j - 2) + 1);
      }
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
