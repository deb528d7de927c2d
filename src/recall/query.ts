import type { Embedder } from "../embed/embedder.ts";
import { repairText } from "../model/unicode.ts";
import type { Analyser } from "../text/analyser.ts";
import { cutToUnits } from "../text/cut.ts";
import { fold } from "../text/fold.ts";
import { findNames } from "../text/names.ts";
import { findQuotes } from "../text/quotes.ts";
import { type DateMention, findDates } from "../text/time/find-dates.ts";
import { tokensOf } from "../text/tokens-of.ts";

/** A stretch of time, half-open, in milliseconds. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Where a time has no end or, negative, no beginning: the last millisecond of JavaScript's dates. */
export const unbounded = 8.64e15;

/** A word of nearly the same meaning as one of the query's. */
export interface RelatedTerm {
  /** Index in `searched`. */
  readonly at: number;
  /** Index of the query's own term. */
  readonly of: number;
  /** Cosine of the two words. */
  readonly similarity: number;
}

/** What is asked for, as plain data: all that the later stages know of the query. */
export interface AnalysedQuery {
  readonly text: string;
  /** The query's distinct terms, in order. */
  readonly terms: readonly string[];
  /** `terms`, and behind them the distinct terms of related words: what the index is searched with. */
  readonly searched: readonly string[];
  readonly related: readonly RelatedTerm[];
  /** Every word, folded but not stemmed; to recognise names of authors. */
  readonly words: ReadonlySet<string>;
  /** Quoted phrases, without their marks. */
  readonly phrases: readonly string[];
  /** Times that it names, resolved from when and where it is asked. */
  readonly ranges: readonly TimeRange[];
}

export interface QueryContext {
  readonly analyser: Analyser;
  readonly embedder?: Pick<Embedder, "related"> | undefined;
  /** When it is asked, in milliseconds. */
  readonly now: number;
  /** Where: an IANA name or an offset. Default "UTC". */
  readonly zone?: string | undefined;
}

/** What is read of a query: it is a question, or at worst a pasted page. */
const maxUnits = 8000;
/** Own terms that are searched for. */
const maxTerms = 128;
/** Terms of a query beyond which its own words say enough, so that none are added. */
const maxTermsToWiden = 24;
/** 5 measured as good as 10, and a search pays for each. */
const relatedPerTerm = 5;
/** Below, GloVe's neighbours are about the same things rather than the same thing. 0.5 to 0.7 measured alike. */
const leastSimilarity = 0.6;
/** Times in one query. */
const maxRanges = 4;

/**
 * Reads out of a query what its stages need. Takes any string.
 *
 * @throws FluxError `invalid_argument` for an analyser that throws, with its error as the cause, or makes no terms
 */
export function analyseQuery(query: string, context: QueryContext): AnalysedQuery {
  const { analyser, embedder, now, zone = "UTC" } = context;
  // As the index repairs what it holds, so that terms are the same on both sides.
  const text = repairText(cutToUnits(query, maxUnits));
  const tokens = tokensOf(analyser, text);
  // The words as written, as tables of words know no stems.
  const written = new Map<string, string>();
  const names = findNames(text);
  const named = new Set<string>();
  for (const { term, start, end } of tokens) {
    if (written.size >= maxTerms) break;
    if (!written.has(term)) written.set(term, fold(text.slice(start, end)));
    if (names.some((name) => start < name.end && end > name.start)) named.add(term);
  }
  const terms = [...written.keys()];
  const dates = findDates(text, { at: now, zone });
  return {
    text,
    terms,
    // A name means nobody else: Greg and Bob, which tables find beside Tom, are not to be found in his place.
    ...widen(
      terms,
      Array.from(written, ([term, word]) => (named.has(term) ? "" : word)),
      analyser,
      embedder,
    ),
    words: wordsOf(text),
    phrases: findQuotes(text).map((quote) => quote.text),
    ranges: dates.slice(0, maxRanges).map(toRange),
  };
}

/** The words of a text, folded, by which names are compared. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ([word]) => fold(word)));
}

function widen(
  terms: readonly string[],
  words: readonly string[],
  analyser: Analyser,
  embedder: Pick<Embedder, "related"> | undefined,
): Pick<AnalysedQuery, "searched" | "related"> {
  const places = new Map(terms.map((term, i) => [term, i]));
  const related: RelatedTerm[] = [];
  if (embedder?.related === undefined || terms.length > maxTermsToWiden) return { searched: terms, related };
  for (const [of, word] of words.entries()) {
    if (word === "") continue;
    const found = new Set<number>();
    // Several words have one stem, so more are asked for than are taken.
    for (const { word: other, similarity } of embedder.related(word, relatedPerTerm * 2)) {
      if (found.size >= relatedPerTerm || similarity < leastSimilarity) break;
      const term = tokensOf(analyser, other)[0]?.term;
      if (term === undefined || (places.get(term) ?? terms.length) < terms.length) continue;
      const at = places.get(term) ?? places.size;
      if (found.has(at)) continue;
      places.set(term, at);
      found.add(at);
      related.push({ at, of, similarity });
    }
  }
  return { searched: [...places.keys()], related };
}

/** The time in which what is asked for was said. */
function toRange({ start, end, bound }: DateMention): TimeRange {
  if (bound === "since") return { start, end: unbounded };
  if (bound === "after") return { start: end, end: unbounded };
  if (bound === "until") return { start: -unbounded, end };
  return bound === "before" ? { start: -unbounded, end: start } : { start, end };
}
