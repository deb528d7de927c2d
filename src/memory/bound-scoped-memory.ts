import type { FactHit, Facts } from "../facts/facts.ts";
import { checkChoice, checkKnown, checkSignal } from "../flux/check-options.ts";
import type { ExportLine } from "../flux/export-line.ts";
import type { Flux } from "../flux/flux.ts";
import type { FluxMemory, ImportOptions, ImportReport, WriteOptions } from "../flux/flux-memory.ts";
import type { Scope } from "../flux/scope.ts";
import { checkFunction } from "../model/check-values.ts";
import { copyGiven } from "../model/copy-given.ts";
import type { CallOptions } from "../store/driver.ts";
import type { PartitionPolicy } from "../store/ledger.ts";
import { head } from "../store/read.ts";
import type {
  FlushOptions,
  FlushReport,
  ForgetFilter,
  ForgetReceipt,
  MemoryProfile,
  RecallFactsOptions,
  ScopedMemory,
} from "./agent-memory.ts";
import type { AppendBlockOptions, Blocks, MemoryBlock, UpdateBlockOptions } from "./blocks.ts";
import { checkFlush, type Engine } from "./engine.ts";
import type {
  EpisodeMatch,
  Episodes,
  MemoryEpisode,
  NewEpisode,
  RecallEpisodesOptions,
  RecallScoredOptions,
  SessionMessage,
  SessionMessagesOptions,
} from "./episodes.ts";
import { forget } from "./forget.ts";
import { laterFacts } from "./later-facts.ts";
import { names } from "./option-names.ts";
import { profileOf } from "./profile.ts";
import { recallEpisodes, scopeOptions } from "./recall-episodes.ts";
import { ScopedBlocks } from "./scoped-blocks.ts";
import { ScopedEpisodes } from "./scoped-episodes.ts";
import { sessionMessages } from "./session-messages.ts";
import { withoutFacts } from "./without-facts.ts";

/** The memory of one scope, on an engine. */
export class BoundScopedMemory implements ScopedMemory {
  readonly userId: string | null;
  readonly namespace: string;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly episodes: Episodes;
  readonly blocks: Blocks;
  readonly #episodes: ScopedEpisodes;
  readonly #blocks: ScopedBlocks;
  readonly #engine: Engine;
  readonly #scope: Scope;

  constructor(engine: Engine, scope: Scope) {
    const { partition, sessionId, agentId } = scope;
    this.#engine = engine;
    this.#scope = scope;
    this.userId = partition.userId;
    this.namespace = partition.namespace;
    this.sessionId = sessionId;
    this.agentId = agentId;
    this.#episodes = new ScopedEpisodes(engine, scope);
    this.#blocks = new ScopedBlocks(engine, scope);
    this.episodes = this.#episodes;
    this.blocks = this.#blocks;
  }

  get facts(): Facts {
    if (!this.#engine.policy.withFacts) throw withoutFacts();
    return laterFacts((call, options) => this.#call(async (memory) => call(memory.facts), options));
  }

  working(options?: CallOptions): Promise<readonly MemoryBlock[]> {
    return this.#blocks.list(options);
  }

  updateBlock(name: string, content: string, options?: UpdateBlockOptions): Promise<MemoryBlock> {
    return this.#blocks.update(name, content, options);
  }

  appendBlock(name: string, content: string, options?: AppendBlockOptions): Promise<MemoryBlock> {
    return this.#blocks.append(name, content, options);
  }

  remember(episode: NewEpisode, options?: WriteOptions): Promise<string> {
    return this.#episodes.remember(episode, options);
  }

  recall(
    query: string,
    options: RecallFactsOptions & { readonly kind: "semantic" },
  ): Promise<readonly FactHit[]>;
  recall(
    query: string,
    options?: RecallEpisodesOptions & { readonly kind?: "episodic" | undefined },
  ): Promise<readonly MemoryEpisode[]>;
  async recall(
    query: string,
    options: (RecallEpisodesOptions | RecallFactsOptions) & {
      readonly kind?: "episodic" | "semantic" | undefined;
    } = {},
  ): Promise<readonly FactHit[] | readonly MemoryEpisode[]> {
    const { kind = "episodic", ...rest } = checkKnown(options, names.recallEither);
    checkChoice(kind, "kind", ["episodic", "semantic"]);
    if (kind === "semantic") return this.recallFacts(query, rest as RecallFactsOptions);
    const matches = await this.recallScored(query, checkKnown(rest as RecallEpisodesOptions, names.recall));
    return matches.map(({ episode }) => episode);
  }

  recallScored(query: string, options: RecallScoredOptions = {}): Promise<readonly EpisodeMatch[]> {
    const given = copyGiven(options);
    return this.#engine.run(
      (flux) => recallEpisodes(flux, this.#scope, query, given, this.#engine.policy.threshold),
      options,
    );
  }

  async recallFacts(query: string, options: RecallFactsOptions = {}): Promise<readonly FactHit[]> {
    const { onDegraded, ...asked } = checkKnown(options, names.recallFacts);
    checkFunction(onDegraded, "onDegraded");
    if (!this.#engine.policy.withFacts) return [];
    const { hits, degraded } = await this.#call((memory) => memory.facts.recall(query, asked), asked);
    if (degraded !== undefined) onDegraded?.(degraded);
    return hits;
  }

  sessionMessages(
    sessionId?: string,
    options: SessionMessagesOptions = {},
  ): Promise<readonly SessionMessage[]> {
    return this.#engine.run((flux) => sessionMessages(flux, this.#scope, sessionId, options), options);
  }

  async consolidate(options: FlushOptions = {}): Promise<FlushReport> {
    if (!this.#engine.policy.withFacts) throw withoutFacts();
    const { signal } = checkFlush(options);
    let since: number | undefined;
    for (let more = true; more; ) {
      const report = await this.#call((memory) => memory.extract({ since, signal }), options);
      [since, more] = [report.seq, report.more];
    }
    return this.#engine.flush(options, this.#scope.partition);
  }

  profile(options: CallOptions = {}): Promise<MemoryProfile> {
    const { withFacts } = this.#engine.policy;
    return this.#engine.run(async (flux) => {
      const signal = checkSignal(checkKnown(options, names.call).signal);
      return profileOf(flux, this.#scope, { withFacts, signal });
    }, options);
  }

  forget(filter?: ForgetFilter, options: WriteOptions = {}): Promise<ForgetReceipt> {
    const { randomness, episodeLimit } = this.#engine;
    const given = copyGiven(filter);
    return this.#engine.run(async (flux) => {
      const receipt = await forget(flux, this.#scope, given, { ...options, randomness });
      episodeLimit?.changed(this.#scope.partition);
      // What rested on it as well as on something else is judged anew.
      this.#engine.wake(this.#scope.partition);
      return receipt;
    }, options);
  }

  async *export(options: CallOptions = {}): AsyncGenerator<ExportLine> {
    const flux = await this.#engine.run(async (flux) => flux, options);
    yield* this.#of(flux).export(options);
  }

  async import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options?: ImportOptions,
  ): Promise<ImportReport> {
    const { episodeLimit } = this.#engine;
    const { partition } = this.#scope;
    try {
      return await this.#engine.run(async (flux) => {
        const report = await this.#of(flux).import(lines, options);
        await episodeLimit?.stored(flux, partition);
        return report;
      }, options);
    } catch (error) {
      // Of an import that fails in between, something is stored.
      episodeLimit?.changed(partition);
      throw error;
    } finally {
      this.#engine.wake(partition);
    }
  }

  retention(options: CallOptions = {}): Promise<PartitionPolicy> {
    return this.#engine.run(async ({ ledger }) => {
      const { signal } = checkKnown(options, names.call);
      const [state] = await ledger.read([this.#scope.partition], [head()], { signal });
      return state?.policy ?? {};
    }, options);
  }

  setRetention(policy: PartitionPolicy, options: CallOptions = {}): Promise<void> {
    const given = copyGiven(policy);
    return this.#engine.run(async ({ ledger }) => {
      const { signal } = checkKnown(options, names.call);
      await ledger.setPolicy(this.#scope.partition, given, { signal });
    }, options);
  }

  #call<T>(call: (memory: FluxMemory) => Promise<T>, options: unknown): Promise<T> {
    return this.#engine.run((flux) => call(this.#of(flux)), options);
  }

  #of(flux: Flux): FluxMemory {
    return flux.for(scopeOptions(this.#scope));
  }
}
