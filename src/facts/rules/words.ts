/** A word of a sentence. Short forms are two: "don't" is "do" and "n't", "I'm" is "i" and "'m". */
export interface Word {
  /** Lower case, with straight apostrophes; short forms written out where they stand for another word ("won't" is "will"). */
  readonly lower: string;
  readonly text: string;
  /** UTF-16 offsets in the sentence, half-open. */
  readonly start: number;
  readonly end: number;
  /** What stands between the word before and this one. */
  readonly gap: string;
}

const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.&+#-]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

// What people type without an apostrophe. "id", "ill", "well" and "were" are words of their own.
const careless: Readonly<Record<string, readonly [string, number, string]>> = {
  ...{ im: ["i", 1, "'m"], ive: ["i", 1, "'ve"], dont: ["do", 2, "n't"], doesnt: ["does", 4, "n't"] },
  ...{ didnt: ["did", 3, "n't"], cant: ["can", 3, "n't"], wont: ["will", 2, "n't"], isnt: ["is", 2, "n't"] },
  ...{ arent: ["are", 3, "n't"], wasnt: ["was", 3, "n't"], havent: ["have", 4, "n't"] },
  ...{ hes: ["he", 2, "'s"], shes: ["she", 3, "'s"], cannot: ["can", 3, "n't"], thats: ["that", 4, "'s"] },
};
const irregular: Readonly<Record<string, string>> = { ca: "can", wo: "will", sha: "shall" };

/** Reads the words of a sentence. */
export function readWords(sentence: string): readonly Word[] {
  const words: Word[] = [];
  let end = 0;
  const push = (lower: string, from: number, to: number): void => {
    words.push({
      lower,
      text: sentence.slice(from, to),
      start: from,
      end: to,
      // Words that are left out of what is read leave spaces.
      gap: from - end > 1 ? sentence.slice(end, from).replace(/ {2,}/g, " ") : sentence.slice(end, from),
    });
    end = to;
  };
  for (const match of sentence.matchAll(word)) {
    const from = match.index;
    const lower = match[0].toLowerCase().replaceAll("’", "'");
    const to = from + match[0].length;
    const split = careless[lower];
    const short = /(?:n't|'(?:m|ve|ll|re|s|d))$/.exec(lower);
    if (split !== undefined) {
      push(split[0], from, from + split[1]);
      push(split[2], from + split[1], to);
    } else if (short !== null && short.index > 0) {
      const stem = lower.slice(0, short.index);
      push(short[0] === "n't" ? (irregular[stem] ?? stem) : stem, from, from + short.index);
      push(short[0], from + short.index, to);
    } else push(lower, from, to);
  }
  return words;
}

/** Whether there is a word and it begins with a capital. */
export function isCapital(word: Word | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word.text);
}

/** A list of words in a template, as a set. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((entry) => entry !== ""));
}
