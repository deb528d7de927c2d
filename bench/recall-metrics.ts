/** How well one question's evidence was found, 0 to 1 each. */
export interface Scores {
  /** Share of the evidence among the first 5, 10 and 20. */
  readonly r5: number;
  readonly r10: number;
  readonly r20: number;
  /** 1 when all of it is among them. */
  readonly all5: number;
  readonly all10: number;
  readonly all20: number;
  /** Reciprocal rank of the first one. */
  readonly mrr: number;
  /** Discounted cumulative gain of the first 10 beside the best possible one, with gains of 0 and 1. */
  readonly ndcg10: number;
  /** Share of the evidence's sessions among the first 1, 5 and 10 sessions. */
  readonly session_r1: number;
  readonly session_r5: number;
  readonly session_r10: number;
}

/**
 * Definitions of the LoCoMo paper (recall), of Järvelin and Kekäläinen 2002 (DCG with the logarithm to base 2).
 *
 * @param ranked what was found, the best first, each once
 * @param evidence what is needed, not empty, each once
 * @param sessions the same two by session; by default what was found and is needed are sessions themselves
 */
export function scoreRanking(
  ranked: readonly string[],
  evidence: readonly string[],
  sessions: { readonly ranked: readonly string[]; readonly evidence: readonly string[] } = {
    ranked,
    evidence,
  },
): Scores {
  const share = recallAt(ranked, evidence);
  const sessionShare = recallAt(sessions.ranked, sessions.evidence);
  const all = (k: number): number => (share(k) === 1 ? 1 : 0);
  return {
    r5: share(5),
    r10: share(10),
    r20: share(20),
    all5: all(5),
    all10: all(10),
    all20: all(20),
    mrr: reciprocalRank(ranked, evidence),
    ndcg10: ndcg(ranked, evidence, 10),
    session_r1: sessionShare(1),
    session_r5: sessionShare(5),
    session_r10: sessionShare(10),
  };
}

function recallAt(ranked: readonly string[], evidence: readonly string[]): (k: number) => number {
  const needed = new Set(evidence);
  return (k) => ranked.slice(0, k).filter((id) => needed.has(id)).length / needed.size;
}

function reciprocalRank(ranked: readonly string[], evidence: readonly string[]): number {
  const rank = ranked.findIndex((id) => evidence.includes(id)) + 1;
  return rank === 0 ? 0 : 1 / rank;
}

function ndcg(ranked: readonly string[], evidence: readonly string[], k: number): number {
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  let gain = 0;
  for (const [place, id] of ranked.slice(0, k).entries()) if (evidence.includes(id)) gain += discount(place);
  let best = 0;
  for (let place = 0; place < Math.min(k, evidence.length); place++) best += discount(place);
  return gain / best;
}

/** In the order of first appearance. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

export function mean(all: readonly Scores[]): Scores {
  const of = (key: keyof Scores): number => all.reduce((sum, scores) => sum + scores[key], 0) / all.length;
  return {
    r5: of("r5"),
    r10: of("r10"),
    r20: of("r20"),
    all5: of("all5"),
    all10: of("all10"),
    all20: of("all20"),
    mrr: of("mrr"),
    ndcg10: of("ndcg10"),
    session_r1: of("session_r1"),
    session_r5: of("session_r5"),
    session_r10: of("session_r10"),
  };
}

/**
 * Area under the ROC curve: how often a value of the first kind is above one of the second, ties counting half (Mann and
 * Whitney's U). Undefined when there is nothing to compare.
 */
export function auroc(higher: readonly number[], lower: readonly number[]): number | undefined {
  if (higher.length === 0 || lower.length === 0) return undefined;
  let wins = 0;
  for (const above of higher)
    for (const below of lower) wins += above > below ? 1 : above === below ? 0.5 : 0;
  return wins / (higher.length * lower.length);
}
