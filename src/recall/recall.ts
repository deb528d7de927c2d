import type { Embedder } from "../embed/embedder.ts";
import { describe, FluxTypeError } from "../model/errors.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import type { Analyser } from "../text/analyser.ts";
import type { ArmHit, RecallArm } from "./arm.ts";
import { conditionTest } from "./conditions.ts";
import { confidenceOf } from "./confidence.ts";
import { gatherCandidates, gatherSurroundings, readTexts, type Source, seeds } from "./gather.ts";
import { firstOfEach } from "./near-duplicates.ts";
import { liftNewerValues } from "./newer-values.ts";
import { type CheckedOptions, checkOptions, type RecallOptions } from "./options.ts";
import { gatherOrigins, liftOrigins } from "./origins.ts";
import { phraseShare } from "./phrases.ts";
import { PoolBuilder } from "./pool.ts";
import { type AnalysedQuery, analyseQuery } from "./query.ts";
import { guardedRelated } from "./related.ts";
import { normaliseScores, type Reranker } from "./reranker.ts";
import type { Degradation, RecallHit, RecallResult } from "./result.ts";
import {
  byScore,
  explain,
  type RecallSignal,
  type Scored,
  type ScoredCandidate,
  scorePool,
  withSignal,
} from "./score.ts";
import { bestPieces, fitTokens } from "./select.ts";
import { Stopwatch } from "./stopwatch.ts";
import { gatherReplacements, placeReplacements, type Replacements } from "./superseded.ts";
import type { TermScores } from "./term-scores.ts";
import { defaultWeights, type Weights } from "./weights.ts";
import { defaultModelTimeout, type ModelWait, within } from "./within.ts";

/** What a recall works on. */
export interface RecallContext {
  readonly ledger: Pick<Ledger, "read">;
  readonly partition: Partition;
  /** The active spaces. Without a dense one there are no vectors to compare. */
  readonly spaces: { readonly lexical: Space; readonly dense?: Space | undefined };
  /** The maker of the lexical space. */
  readonly analyser: Analyser;
  /** The maker of the dense space. Without it, or with another one, recall goes by words and says so. */
  readonly embedder?: Embedder | undefined;
  /** Why it is not at hand, where that is known. */
  readonly embedderFailure?: FailureCause | undefined;
  readonly reranker?: Reranker | undefined;
  /** Further ways of finding grains. */
  readonly arms?: readonly RecallArm[] | undefined;
  /** How long embedder, reranker and each arm are waited for. Default 30 s. */
  readonly wait?: ModelWait | undefined;
  /** When and where it is asked, for "last week": milliseconds, and an IANA name or an offset. Default zone "UTC". */
  readonly now: number;
  readonly zone?: string | undefined;
  /** Default {@link defaultWeights}. */
  readonly weights?: Weights | undefined;
}

/** How many of the best have their texts read: enough that near-duplicates and a reranker leave k. */
const depthPerHit = 3;
const leastDepth = 30;
const mostDepth = 150;

/**
 * Finds what a partition remembers about a query: searches by words, related words, meaning and time, looks around the best in
 * their sessions, adds the scores, and answers with the texts, what was replaced behind what replaced it. It reads from the
 * ledger at most three times, five times where statements were found, and more often where facts have taken places among what was found
 * or what replaced a hit has to be looked up; `Flux` looks at the list of spaces after it.
 *
 * An embedder, reranker or arm that rejects, hangs or answers nonsense makes the result `degraded`, never empty; a ledger or an
 * analyser that fails is an error.
 *
 * @throws FluxTypeError or FluxError `invalid_argument` for a query or an option of the wrong shape, and for a token counter or
 *   an analyser that throws or gives nonsense; `invalid_filter` for conditions; the reason of an aborted signal
 */
export async function recall(
  context: RecallContext,
  query: string,
  options: RecallOptions = {},
): Promise<RecallResult> {
  if (typeof query !== "string")
    throw new FluxTypeError("invalid_argument", `query must be a string, not ${describe(query)}`);
  return new Recall(context, checkOptions(options)).run(query);
}

class Recall {
  readonly #context: RecallContext;
  readonly #options: CheckedOptions;
  #weights: Weights;
  readonly #degraded: Degradation[] = [];
  readonly #watch = new Stopwatch();

  constructor(context: RecallContext, options: CheckedOptions) {
    this.#context = context;
    this.#options = options;
    this.#weights = context.weights ?? defaultWeights;
  }

  async run(text: string): Promise<RecallResult> {
    const { ledger, partition, spaces, arms = [] } = this.#context;
    const { signal, where } = this.#options;
    signal?.throwIfAborted();
    const query = this.#watch.time("analyse", () => this.#analyse(text));
    const vector = await this.#watch.wait("embed", () => this.#embed(query));
    // What should go by the vector alone goes by words instead, which the result says.
    if (vector === undefined && this.#weights.lexical === 0) this.#weights = defaultWeights;
    const source: Source = {
      ...{ ledger, partition, lexical: spaces.lexical.id },
      dense: spaces.dense?.id,
    };
    const pool = new PoolBuilder();
    const search = { where, signal };
    const seq = await this.#watch.wait("gather", () => gatherCandidates(source, query, vector, search, pool));
    const score = (most?: number): Scored =>
      this.#watch.time("score", () => scorePool(query, pool.build(), arms, this.#weights, most));
    const { ranking } = score(seeds);
    const [origins] = await this.#watch.wait("gather", () =>
      Promise.all([
        gatherOrigins(source, ranking, search, pool),
        gatherSurroundings(source, ranking, search, pool),
        this.#askArms(query, ranking, pool),
      ]),
    );
    const scored = score();
    const lifted = liftOrigins(scored.ranking, origins);
    const best = bestPieces(lifted.ranking, this.#depth());
    const texts = new Map(await this.#watch.wait("read", () => readTexts(source, best.map(grainOf), search)));
    const read = best.filter(({ candidate }) => texts.has(candidate.grain.id));
    const textOf = ({ candidate }: ScoredCandidate): string => texts.get(candidate.grain.id) ?? "";
    const ranked = await this.#watch.wait("rerank", () =>
      this.#rerank(query, this.#phrases(query, read, textOf), textOf),
    );
    const replacements = await this.#watch.wait("read", () => gatherReplacements(source, ranked, search));
    const current = this.#watch.time("pack", () =>
      this.#putNewFirst(query, scored.words, ranked, replacements, textOf),
    );
    const added = current.filter(({ candidate }) => !texts.has(candidate.grain.id));
    const more = await this.#watch.wait("read", () => readTexts(source, added.map(grainOf), search));
    for (const [id, text] of more) texts.set(id, text);
    const hits = this.#watch.time("pack", () =>
      this.#pack(scored, current, { textOf, repeats: lifted.repeats, replacements }),
    );
    return {
      hits,
      confidence: hits.length > 0 ? confidenceOf(scored) : 0,
      ...(this.#degraded.length > 0 ? { degraded: this.#degraded } : {}),
      seq,
      candidates: scored.ranking.length,
      timings: this.#watch.timings(),
    };
  }

  #analyse(text: string): AnalysedQuery {
    const { embedder } = this.#context;
    const related = guardedRelated(embedder, (error) => {
      const cause = error === undefined ? undefined : failureCause(error);
      this.#degrade("embedder_failed", "The embedder could not say which words are related", cause);
    });
    return analyseQuery(text, { ...this.#context, embedder: related });
  }

  /** The vector of the query, or undefined when it has none or the embedder cannot make it. */
  async #embed({ text }: AnalysedQuery): Promise<Float32Array | undefined> {
    const { embedder, spaces } = this.#context;
    const { dense } = spaces;
    if (dense === undefined || this.#weights.dense === 0) return undefined;
    if (embedder === undefined || embedder.id !== dense.maker) {
      const reason = "The embedder that made the vectors of this store is not at hand";
      this.#degrade("embedder_missing", reason, this.#context.embedderFailure);
      return undefined;
    }
    const failed = { code: "embedder_failed", reason: "The embedder could not embed the query" } as const;
    const vectors = await this.#ask(failed, (signal) => embedder.embed([text], { kind: "query", signal }));
    if (vectors === undefined) return undefined;
    const vector: unknown = Array.isArray(vectors.answer) ? vectors.answer[0] : undefined;
    if (vector instanceof Float32Array && vector.length === dense.dimensions)
      return vector.some((value) => value !== 0) ? vector : undefined;
    this.#degrade("embedder_failed", "The embedder made a vector of the wrong length");
    return undefined;
  }

  async #askArms(
    query: AnalysedQuery,
    ranking: readonly ScoredCandidate[],
    pool: PoolBuilder,
  ): Promise<void> {
    const { arms = [], partition } = this.#context;
    const { where } = this.#options;
    if (arms.length === 0) return;
    const most = ranking[0]?.score ?? 1;
    const best = ranking
      .slice(0, leastDepth)
      .map(({ candidate, score }): ArmHit => ({ grain: candidate.grain, score: score / most }));
    const meets = conditionTest(where);
    await Promise.all(
      arms.map(async (arm) => {
        const failed = { code: "arm_failed", reason: `${arm.id} failed` } as const;
        const found = await this.#ask(failed, (signal) =>
          arm.find({ partition, query, seeds: best, where, signal }),
        );
        if (found === undefined) return;
        const { answer: hits } = found;
        if (Array.isArray(hits) && hits.every(isArmHit)) {
          const meeting = hits.filter(({ grain }) => meets(grain));
          pool.addArm(arm.id, meeting);
        } else this.#degrade("arm_failed", `${arm.id} did not give grains with scores`);
      }),
    );
  }

  #depth(): number {
    return Math.min(mostDepth, Math.max(leastDepth, this.#options.k * depthPerHit));
  }

  #phrases(
    { phrases }: AnalysedQuery,
    ranking: readonly ScoredCandidate[],
    textOf: (scored: ScoredCandidate) => string,
  ): readonly ScoredCandidate[] {
    if (phrases.length === 0) return ranking;
    const { phrase } = this.#weights;
    return ranking
      .map((scored) => {
        const share = phraseShare(phrases, textOf(scored));
        return share > 0
          ? withSignal(scored, { name: "phrase", score: phrase * share }, this.#weights)
          : scored;
      })
      .sort(byScore);
  }

  async #rerank(
    { text }: AnalysedQuery,
    ranking: readonly ScoredCandidate[],
    textOf: (scored: ScoredCandidate) => string,
  ): Promise<readonly ScoredCandidate[]> {
    const { reranker } = this.#context;
    const { rerank } = this.#weights;
    if (reranker === undefined || rerank === 0 || ranking.length === 0) return ranking;
    const texts = ranking.map(textOf);
    const failed = { code: "reranker_failed", reason: "The reranker failed" } as const;
    const ranked = await this.#ask(failed, (signal) => reranker.rerank(text, texts, { signal }));
    if (ranked === undefined) return ranking;
    const { answer: scores } = ranked;
    if (!(Array.isArray(scores) && scores.length === ranking.length && scores.every(Number.isFinite))) {
      this.#degrade("reranker_failed", "The reranker did not give each text a number");
      return ranking;
    }
    const shares = normaliseScores(scores);
    return ranking
      .map((scored, i) =>
        withSignal(scored, { name: "rerank", score: rerank * (shares[i] ?? 0) }, this.#weights),
      )
      .sort(byScore);
  }

  /**
   * What a model answers; undefined when it fails, which the result then says. Errors of any other origin than the model
   * itself do not come to be caught here.
   */
  async #ask<T>(
    { code, reason }: Pick<Degradation, "code" | "reason">,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    const { wait = { timeout: defaultModelTimeout } } = this.#context;
    const { signal } = this.#options;
    try {
      return { answer: await within({ ...wait, signal }, call) };
    } catch (error) {
      signal?.throwIfAborted();
      this.#degrade(code, reason, failureCause(error));
      return undefined;
    }
  }

  #putNewFirst(
    query: AnalysedQuery,
    words: TermScores,
    ranking: readonly ScoredCandidate[],
    replacements: Replacements,
    textOf: (scored: ScoredCandidate) => string,
  ): readonly ScoredCandidate[] {
    const { byScore: asScored, k } = this.#options;
    if (asScored) return ranking;
    const newer = liftNewerValues(query, words, ranking, textOf, this.#context.analyser);
    return placeReplacements(newer, replacements, k);
  }

  #pack(
    all: Scored,
    ranking: readonly ScoredCandidate[],
    { textOf, repeats, replacements }: Found,
  ): readonly RecallHit[] {
    const { k, minScore, maxTokens, tokenCounter } = this.#options;
    const good = ranking.filter(
      (scored) => scored.score > 0 && scored.score >= minScore && textOf(scored) !== "",
    );
    const isRepeat = ({ candidate }: ScoredCandidate): boolean => repeats.has(candidate.grain.id);
    const hits = firstOfEach(good, k, textOf, isRepeat).map((scored) =>
      toHit(scored, textOf(scored), explain(all, scored), replacements.get(scored.candidate.grain.id)),
    );
    return maxTokens === undefined ? hits : fitTokens(hits, maxTokens, tokenCounter);
  }

  #degrade(code: Degradation["code"], reason: string, cause?: FailureCause): void {
    this.#degraded.push({ code, reason, ...(cause === undefined ? {} : { cause }) });
  }
}

/** What is known of ranked candidates besides their scores. */
interface Found {
  readonly textOf: (scored: ScoredCandidate) => string;
  /** Ids of grains that say what others say. */
  readonly repeats: ReadonlySet<string>;
  readonly replacements: Replacements;
}

function grainOf({ candidate }: ScoredCandidate): Stored<Grain> {
  return candidate.grain;
}

function isArmHit(hit: unknown): boolean {
  const { grain, score } = Object(hit) as { readonly [name in keyof ArmHit]?: unknown };
  return typeof grain === "object" && grain !== null && Number.isFinite(score);
}

function toHit(
  { candidate, score }: ScoredCandidate,
  text: string,
  signals: readonly RecallSignal[],
  replacement: Stored<Grain> | undefined,
): RecallHit {
  const { id, ownerKind, ownerId, author, saidAt, sessionId, agentId, status, provenance, metadata } =
    candidate.grain;
  return {
    ...{ id, owner: { kind: ownerKind, id: ownerId }, text },
    ...(author === undefined ? {} : { author }),
    saidAt,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...{ status, provenance },
    ...(replacement === undefined ? {} : { supersededBy: replacement.id }),
    ...(metadata === undefined ? {} : { metadata }),
    score,
    ...(candidate.similarity > 0 ? { similarity: candidate.similarity } : {}),
    signals,
  };
}
