import { compareUtf8 } from "../model/unicode.ts";
import { sayTheSame } from "../recall/near-duplicates.ts";
import type { EpisodeView, FactView } from "./context-view.ts";

const day = 24 * 3_600_000;

/** How candidates are weighed and how many of them are wanted. */
export interface Choice {
  readonly limit: number;
  /** The present, in milliseconds. */
  readonly now: number;
  /** Days after which a memory counts half; undefined for no decay. */
  readonly halfLifeDays: number | undefined;
}

/** A candidate with the score that its memory gave it. */
export interface Rated<T> {
  readonly item: T;
  readonly score: number;
}

/**
 * What halves with each half-life: score × 0.5^(age / half-life), the age in days, and none for what is dated in the future.
 */
function decayed(score: number, at: number, { now, halfLifeDays }: Choice): number {
  if (halfLifeDays === undefined) return score;
  return score * 0.5 ** (Math.max(0, now - at) / day / halfLifeDays);
}

/** The best facts; of several with the same words the best one. */
export function chooseFacts(facts: readonly Rated<FactView>[], choice: Choice): FactView[] {
  const kept = new Map<string, FactView>();
  for (const fact of ranked(facts, (one) => one.saidAt, choice)) {
    const words = JSON.stringify([fact.subject, fact.predicate, fact.object, fact.affirmed]);
    if (kept.size < choice.limit && !kept.has(words)) kept.set(words, fact);
  }
  return [...kept.values()];
}

/**
 * The best episodes. Of several that say nearly the same there is one, with the place of the best among them; it is the latest.
 */
export function chooseEpisodes(episodes: readonly Rated<EpisodeView>[], choice: Choice): EpisodeView[] {
  const kept: EpisodeView[] = [];
  for (const episode of ranked(episodes, (one) => one.occurredAt, choice)) {
    const place = kept.findIndex((other) => sayTheSame(wordsOf(other), wordsOf(episode)));
    const other = kept[place];
    if (other === undefined) kept.push(episode);
    else if (isLater(episode, other)) kept[place] = episode;
  }
  return kept.slice(0, choice.limit);
}

/** By score, then the latest first, then by id: a total order, whatever order they come in. */
function ranked<T extends { readonly id: string }>(
  items: readonly Rated<T>[],
  timeOf: (item: T) => number,
  choice: Choice,
): T[] {
  return items
    .map(({ item, score }) => ({ item, score: decayed(score, timeOf(item), choice) }))
    .sort((a, b) => b.score - a.score || timeOf(b.item) - timeOf(a.item) || compareUtf8(a.item.id, b.item.id))
    .map(({ item }) => item);
}

function isLater(a: EpisodeView, b: EpisodeView): boolean {
  return a.occurredAt > b.occurredAt || (a.occurredAt === b.occurredAt && compareUtf8(a.id, b.id) > 0);
}

function wordsOf({ input, output }: EpisodeView): string {
  return `${input}\n${output}`;
}
