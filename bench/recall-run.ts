import type { RecallMemory } from "./recall-memory.ts";
import { distinct, type Scores, scoreRanking } from "./recall-metrics.ts";
import type { Corpus, Question, RecallSet, Turn } from "./recall-set.ts";

/** What came of one question. */
export interface Outcome {
  readonly category: string;
  /** Undefined for a question without evidence. */
  readonly scores: Scores | undefined;
  readonly confidence: number;
}

export interface RecallRun {
  readonly outcomes: readonly Outcome[];
  /** Milliseconds that a turn took to store, its share of the batch that it came in. */
  readonly addTimes: readonly number[];
  /** Milliseconds of each question. */
  readonly recallTimes: readonly number[];
}

/** Turns that are asked for. Among 100 turns are about as many sessions as are counted. */
const depth = { turn: 20, session: 100 } as const;
/** Turns that are stored at once. */
const batchSize = 100;

/** Stores what was said in order, and asks each question once what comes before it is stored. */
export async function runRecall(
  { unit, corpora }: RecallSet,
  memory: RecallMemory,
  signal: AbortSignal,
): Promise<RecallRun> {
  const outcomes: Outcome[] = [];
  const addTimes: number[] = [];
  const recallTimes: number[] = [];
  for (const corpus of corpora) {
    const sessions = new Map(corpus.turns.map(({ id, session }) => [id, session]));
    let latest: number | undefined;
    const ask = async (question: Question): Promise<void> => {
      signal.throwIfAborted();
      // Who asks does so on the day of the question, or else after the last thing that was said.
      const request = { k: depth[unit], now: question.askedAt ?? latest };
      const start = performance.now();
      const { turns, confidence } = await memory.recall(corpus.id, question.text, request);
      recallTimes.push(performance.now() - start);
      const scores = scoresOf(question, turns, unit, sessions);
      outcomes.push({ category: question.category, scores, confidence });
    };
    for (const turns of batches(corpus.turns)) {
      for (const question of askedBefore(turns, corpus)) await ask(question);
      signal.throwIfAborted();
      const start = performance.now();
      await memory.add(corpus.id, turns);
      addTimes.push((performance.now() - start) / turns.length);
      for (const { saidAt } of turns)
        if (saidAt !== undefined) latest = Math.max(saidAt, latest ?? Number.NEGATIVE_INFINITY);
    }
    for (const question of corpus.questions) if (question.before === undefined) await ask(question);
  }
  return { outcomes, addTimes, recallTimes };
}

/** Turns that follow on one another in the same session. */
export function batches(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const all: Turn[][] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (last !== undefined && last.length < batchSize && last[0]?.session === turn.session) last.push(turn);
    else all.push([turn]);
  }
  return all;
}

function askedBefore(turns: readonly Turn[], { turns: all, questions }: Corpus): readonly Question[] {
  const [first] = turns;
  // Once, before the session's first batch.
  if (first === undefined || all.find(({ session }) => session === first.session) !== first) return [];
  return questions.filter(({ before }) => before === first.session);
}

function scoresOf(
  { evidence }: Question,
  turns: readonly string[],
  unit: RecallSet["unit"],
  sessions: ReadonlyMap<string, string>,
): Scores | undefined {
  if (evidence.length === 0) return undefined;
  const toSessions = (ids: readonly string[]): readonly string[] =>
    distinct(ids.map((id) => sessions.get(id) ?? id));
  return unit === "session"
    ? scoreRanking(toSessions(turns), evidence)
    : scoreRanking(turns, evidence, { ranked: toSessions(turns), evidence: toSessions(evidence) });
}
