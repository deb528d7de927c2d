import { Flux } from "../src/index.ts";
import { toMessage } from "./recall-flux.ts";
import { batches } from "./recall-run.ts";
import type { Corpus, RecallSet } from "./recall-set.ts";
import { type RankedTurn, scoreUpdate, type UpdateScores } from "./update-metrics.ts";

/** What came of one question, with and without what a memory knows of updates. */
export interface UpdateOutcome {
  readonly id: string;
  readonly withUpdates: UpdateScores;
  /** The order of the scores in a memory that derived nothing. */
  readonly plain: UpdateScores;
}

export interface UpdateRunOptions {
  /** URL of a store of its own for each memory, named after it. */
  store(name: string): string;
  readonly embedder: string | false;
  readonly signal: AbortSignal;
}

/** Turns that are asked for. */
const depth = 20;

/**
 * Stores the turns of each corpus in their order in two memories, one that derives and marks what it is told as it does for a
 * user, and one that does not; and asks both the questions about updates, without a model.
 */
export async function runUpdates(
  { corpora }: RecallSet,
  { store, embedder, signal }: UpdateRunOptions,
): Promise<readonly UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = [];
  const options = { embedder, languageModel: false } as const;
  for (const corpus of corpora) {
    if (!corpus.questions.some(({ update }) => update)) continue;
    const rankings: UpdateScores[][] = [];
    for (const plain of [false, true]) {
      const flux = await Flux.open(store(`${corpus.id}-${plain}`), { ...options, autoExtract: !plain });
      try {
        rankings.push(await ask(flux, corpus, plain, signal));
      } finally {
        await flux.close();
      }
    }
    const [own = [], other = []] = rankings;
    const asked = corpus.questions.filter(({ update }) => update);
    for (const [i, { id }] of asked.entries()) {
      const [withUpdates, plain] = [own[i], other[i]];
      if (withUpdates !== undefined && plain !== undefined) outcomes.push({ id, withUpdates, plain });
    }
  }
  return outcomes;
}

async function ask(
  flux: Flux,
  corpus: Corpus,
  byScore: boolean,
  signal: AbortSignal,
): Promise<UpdateScores[]> {
  const memory = flux.for({ userId: corpus.id });
  const turnOf = new Map<string, string>();
  for (const turns of batches(corpus.turns)) {
    signal.throwIfAborted();
    const stored = await memory.storeBatch(turns.map(toMessage));
    for (const [i, { id }] of stored.entries()) turnOf.set(id, turns[i]?.id ?? "");
  }
  await flux.work({ once: true, signal });
  const times = corpus.turns.flatMap(({ saidAt }) => saidAt ?? []);
  const latest = times.length === 0 ? undefined : Math.max(...times);
  const scores: UpdateScores[] = [];
  for (const { text, update, askedAt = latest } of corpus.questions) {
    if (update === undefined) continue;
    signal.throwIfAborted();
    const { hits } = await memory.recall(text, { k: depth, askedAt, byScore });
    const ranked = hits.map(({ owner, supersededBy }): RankedTurn => {
      return { id: turnOf.get(owner.id) ?? "", superseded: supersededBy !== undefined };
    });
    scores.push(scoreUpdate(ranked, update));
  }
  return scores;
}
