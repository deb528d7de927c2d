/**
 * What recall and memory read out of text: terms, names, dates, preferences, quotations, speakers, sentences and addresses, with
 * cuts and token counts. Rules and dictionaries without a model; runs anywhere. The package `gpt-tokenizer` is optional.
 *
 * @module
 */

export { type Address, findAddresses } from "./text/address.ts";
export { type Analyser, type AnalyserOptions, createAnalyser } from "./text/analyser.ts";
export { cutToBytes, cutToTokens, cutToUnits, type Kept } from "./text/cut.ts";
export { loadTokenCounter, type TokenEncoding } from "./text/load-token-counter.ts";
export { findNames, type Name, type NameKind, type NameOptions } from "./text/names.ts";
export { findPreferences, type Preference, type PreferenceKind } from "./text/preferences.ts";
export { findQuotes } from "./text/quotes.ts";
export type { Piece } from "./text/segment.ts";
export { splitSentences } from "./text/sentences.ts";
export { findSpeakers, type SpokenTurn } from "./text/speaker.ts";
export type { Precision, TextSpan } from "./text/time/draft.ts";
export { type DateMention, type DateOptions, findDates } from "./text/time/find-dates.ts";
export type { Token } from "./text/token.ts";
export { estimatedTokens, type TokenCounter } from "./text/token-counter.ts";
export type { CjkTerms } from "./text/tokenise.ts";
