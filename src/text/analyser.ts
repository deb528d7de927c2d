import { stemmer } from "stemmer";
import { englishStopWords } from "./stop-words.ts";
import type { Token } from "./token.ts";
import { type CjkTerms, tokenise } from "./tokenise.ts";

/** Turns text into the terms of an index. Whoever builds an index records the `id`, and rebuilds it when that changes. */
export interface Analyser {
  /** Name, version and options; the same id always means the same terms for the same text. */
  readonly id: string;
  /** The terms of a text in order. Takes any string, a document or a query, and never throws. */
  analyse(text: string): Token[];
}

export interface AnalyserOptions {
  /** Reduce English words to their stems (Porter 1980): "painted" and "painting" match. Default true. */
  readonly stem?: boolean;
  /** Leave out English words without content, unless a text has no others. Default true. */
  readonly stopWords?: boolean;
  /** Terms of Chinese, Japanese and Korean: dictionary words, pairs of letters, or both. Default "both". */
  readonly cjk?: CjkTerms;
  /** Index identifiers and hyphenated words whole as well as in parts. Default true. */
  readonly compounds?: boolean;
}

/** Raised whenever some text gets other terms than before. */
const version = 1;

/** The analyser of this package. It detects no language: what it does for English leaves other languages readable. */
export function createAnalyser(options: AnalyserOptions = {}): Analyser {
  const { stem = true, stopWords = true, cjk = "both", compounds = true } = options;
  const settings = [
    stem ? "porter" : "",
    stopWords ? "stop-en" : "",
    `cjk-${cjk}`,
    compounds ? "compounds" : "",
  ];
  return {
    id: `flux-text/${version};${settings.filter(Boolean).join(";")}`,
    analyse(text) {
      const all = tokenise(text, { cjk, compounds });
      // A text of stop words only ("Who are you?") would be impossible to find; it keeps them.
      const content = stopWords ? all.filter(({ term }) => !englishStopWords.has(term)) : all;
      const kept = content.length > 0 ? content : all;
      return stem ? kept.map(stemToken) : kept;
    },
  };
}

const englishWord = /^[a-z]{3,}$/;

function stemToken(token: Token): Token {
  return englishWord.test(token.term) ? { ...token, term: stemOf(token.term) } : token;
}

// A vocabulary is small and its frequent words come all the time: remembering stems makes analysis a third faster.
const stems = new Map<string, string>();
const rememberedStems = 20_000;

function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemmer(word);
    if (stems.size >= rememberedStems) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}
