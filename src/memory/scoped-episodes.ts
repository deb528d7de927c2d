import { checkChoice, checkKnown, checkLimit, checkSignal, checkString } from "../flux/check-options.ts";
import { metadataOf } from "../flux/copy-item.ts";
import { refsOfId } from "../flux/erasure-refs.ts";
import type { Flux } from "../flux/flux.ts";
import type { WriteOptions } from "../flux/flux-memory.ts";
import type { Scope } from "../flux/scope.ts";
import type { EpisodeItem } from "../flux/store-items.ts";
import { copyGiven } from "../model/copy-given.ts";
import { FluxError } from "../model/errors.ts";
import { checkId, operationKey, randomId } from "../model/ids.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { get } from "../store/read.ts";
import type { Engine } from "./engine.ts";
import { episodeOf, episodeOfRecord, firstGrainOf } from "./episode-views.ts";
import type {
  EpisodeChanges,
  EpisodePage,
  Episodes,
  ListEpisodesOptions,
  MemoryEpisode,
  NewEpisode,
} from "./episodes.ts";
import { names } from "./option-names.ts";
import { checkRange, scopeOptions } from "./recall-episodes.ts";
import { cappedTranscript } from "./transcript.ts";

/** The episodes of one scope. */
export class ScopedEpisodes implements Episodes {
  readonly #engine: Engine;
  readonly #scope: Scope;

  constructor(engine: Engine, scope: Scope) {
    this.#engine = engine;
    this.#scope = scope;
  }

  async remember(episode: NewEpisode, options: WriteOptions = {}): Promise<string> {
    const { operation, signal } = checkKnown(options, names.write);
    const item = this.#itemOf(episode, operation);
    const { partition } = this.#scope;
    return this.#engine.run(async (flux) => {
      const [result] = await this.#handle(flux).storeBatch([item], { operation, signal });
      const { id, status, indexed } = result as NonNullable<typeof result>;
      this.#engine.wake(partition, { unindexed: indexed === "later" });
      if (status === "stored") await this.#engine.episodeLimit?.stored(flux, partition, id);
      // It may expire earlier than what it replaced.
      if (status === "replaced") this.#engine.episodeLimit?.changed(partition);
      return id;
    }, options);
  }

  get(id: string, options: CallOptions = {}): Promise<MemoryEpisode | undefined> {
    return this.#engine.run(async (flux) => {
      const { signal } = checkKnown(options, names.call);
      return this.#read(flux, checkId(id, "id"), checkSignal(signal));
    }, options);
  }

  list(options: ListEpisodesOptions = {}): Promise<EpisodePage> {
    const given = copyGiven(options);
    return this.#engine.run(async (flux) => {
      const { timeRange = {}, limit = 50, order, signal, ...rest } = checkKnown(given, names.listEpisodes);
      checkRange(timeRange);
      checkLimit(limit, "limit");
      if (order !== undefined) checkChoice(order, "order", ["newest", "oldest"]);
      const walk = { ...rest, ...timeRange, kind: "episode", order, limit, signal } as const;
      const { items, ...found } = await this.#handle(flux).list(walk);
      return { items: items.map(episodeOfRecord), ...found };
    }, options);
  }

  update(id: string, changes: EpisodeChanges, options: WriteOptions = {}): Promise<MemoryEpisode> {
    const given = copyGiven(changes);
    return this.#engine.run(async (flux) => {
      const known = checkKnown(given, names.episodeChanges, "changes");
      const call = checkKnown(options, names.write);
      const before = await this.#read(flux, checkId(id, "id"), checkSignal(call.signal));
      if (before === undefined) throw noSuchEpisode();
      const record = await this.#handle(flux).update(id, known, call);
      if (known.expiresAt !== undefined) this.#engine.episodeLimit?.changed(this.#scope.partition);
      return episodeOfRecord(record);
    }, options);
  }

  delete(id: string, options: WriteOptions = {}): Promise<ErasureReceipt> {
    return this.#engine.run(async (flux) => {
      const { operation, signal } = checkKnown(options, names.write);
      const { ledger } = flux;
      const { partition } = this.#scope;
      const refs = await refsOfId({ ledger, partition }, checkId(id, "id"), { signal: checkSignal(signal) });
      // What is not there at all may have been erased by this very operation.
      if (refs.length > 0 && !refs.some((ref) => ref.kind === "episode" && ref.id === id))
        throw noSuchEpisode();
      const receipt = await this.#handle(flux).erase({ id }, { operation, signal });
      this.#engine.episodeLimit?.changed(this.#scope.partition);
      // What rested on it as well as on something else is judged anew.
      this.#engine.wake(this.#scope.partition);
      return receipt;
    }, options);
  }

  #handle(flux: Flux) {
    return flux.for(scopeOptions(this.#scope));
  }

  async #read(
    { ledger }: Flux,
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<MemoryEpisode | undefined> {
    const [row, { items }] = await ledger.read(
      [this.#scope.partition],
      [get("episode", id), firstGrainOf(id)],
      { signal },
    );
    return row === undefined ? undefined : episodeOf(row, items[0]);
  }

  /** The sides that are kept, with the id that a retry has as well. */
  #itemOf(episode: NewEpisode, operation: string | undefined): EpisodeItem {
    const {
      id,
      transcript,
      metadata,
      output = "",
      ...rest
    } = checkKnown(episode, names.newEpisode, "An episode");
    const { storeSides, transcriptMaxBytes } = this.#engine.policy;
    const input = checkString(rest.input, "input of an episode");
    checkString(output, "output of an episode");
    return {
      ...rest,
      ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
      id: id === undefined ? `ep_${this.#newId(operation)}` : checkId(id, "id of an episode"),
      input: storeSides === "output" ? "" : input,
      output: storeSides === "input" ? "" : output,
      ...(transcript === undefined
        ? {}
        : {
            transcript: cappedTranscript(transcript, transcriptMaxBytes) as EpisodeItem["transcript"] &
              object,
          }),
    };
  }

  #newId(operation: string | undefined): string {
    if (operation === undefined) return randomId(this.#engine.randomness);
    return operationKey(this.#scope.partition, checkId(operation, "operation"));
  }
}

function noSuchEpisode(): FluxError {
  return new FluxError("not_found", "There is no episode with this id", {
    hint: "Give the id that remember returned. Texts, facts and blocks have calls of their own.",
  });
}
