import { Choices } from "../src/store/contract/seeded-randomness.ts";
import type { UpdateTurns } from "./recall-set.ts";
import { type Share, wilson } from "./wilson.ts";

/** A turn that came back, and whether the memory says that it was replaced. */
export interface RankedTurn {
  readonly id: string;
  readonly superseded: boolean;
}

/** What came of one question about something that was updated: 1 or 0. */
export interface UpdateScores {
  /** The updated statement ranks above the original; one that does not come back ranks below all that do. */
  readonly newAboveOld: number;
  /** The updated statement is first. */
  readonly newAt1: number;
  /** Both are among the first ten. */
  readonly both10: number;
  /** The original is first, and nothing says that it was replaced. */
  readonly stale: number;
}

export const updateMeasures = ["newAboveOld", "newAt1", "both10", "stale"] as const;

/** @param ranked the best first, each turn once */
export function scoreUpdate(ranked: readonly RankedTurn[], { original, updated }: UpdateTurns): UpdateScores {
  const rank = (ids: readonly string[]): number => {
    const place = ranked.findIndex(({ id }) => ids.includes(id));
    return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
  };
  const [old, now] = [rank(original), rank(updated)];
  return {
    newAboveOld: now < old ? 1 : 0,
    newAt1: now === 1 ? 1 : 0,
    both10: Math.max(old, now) <= 10 ? 1 : 0,
    stale: old === 1 && ranked[0]?.superseded === false ? 1 : 0,
  };
}

/** A share of values, all of which are 1 or 0, in per cent with its 95 % interval. */
export function shareOf(values: readonly number[]): Share {
  const hits = values.reduce((sum, value) => sum + value, 0);
  const { share, low, high } = wilson(hits, values.length) ?? { share: 0, low: 0, high: 1 };
  return { share: perCent(share), low: perCent(low), high: perCent(high) };
}

/** Samples that a bootstrap draws. */
const samples = 10_000;

/**
 * The difference of two shares of the same questions in per cent points, with its 95 % interval by the paired bootstrap: questions are
 * drawn with replacement, each with both of its values. The same numbers always give the same interval.
 */
export function differenceOf(own: readonly number[], other: readonly number[]): Share {
  const differences = own.map((value, i) => value - (other[i] ?? Number.NaN));
  const choices = new Choices(1);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) sum += choices.of(differences);
    return sum / differences.length;
  }).sort((a, b) => a - b);
  const at = (share: number): number =>
    means[Math.min(samples - 1, Math.floor(share * samples))] ?? Number.NaN;
  return { share: perCent(mean(differences)), low: perCent(at(0.025)), high: perCent(at(0.975)) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function perCent(share: number): number {
  return Math.round(share * 1000) / 10;
}
