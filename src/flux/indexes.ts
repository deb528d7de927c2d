import type { Embedder } from "../embed/embedder.ts";
import type { EmbedderChoice } from "../embed/resolve.ts";
import { FluxError } from "../model/errors.ts";
import type { FailureCause } from "../model/failure.ts";
import { type ModelWait, within } from "../recall/within.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import type { IndexEntry, Space } from "../store/search.ts";
import type { Analyser } from "../text/analyser.ts";
import { checkedEmbedder } from "./checked-embedder.ts";
import { findEmbedder } from "./find-embedder.ts";
import { embeddedForm, type IndexedText, termsOf } from "./indexed-text.ts";
import { Makers } from "./makers.ts";

/** What the index is to hold of some texts, as far as it could be made. */
export interface MadeEntries {
  /** The spaces that are not retired: what the entries were made for. */
  readonly spaces: readonly number[];
  /** One list a text. */
  readonly entries: readonly (readonly IndexEntry[])[];
  /** One list a text: spaces whose entry has to be made later. */
  readonly missing: readonly (readonly number[])[];
}

/** What a recall searches. */
export interface ActiveSpaces {
  readonly lexical: Space;
  readonly dense: Space | undefined;
  readonly analyser: Analyser;
  readonly embedder: Embedder | undefined;
  /** Why it is not at hand, where that is known. */
  readonly embedderFailure: FailureCause | undefined;
  /** Whether the analyser is the one that the space was made with. */
  readonly exact: boolean;
}

/** Texts given to an embedder at a time, and texts analysed before others have their turn. */
const batch = 128;

/** The spaces of a store, and what this process can make for them. */
export class Indexes {
  readonly makers = new Makers();
  readonly #ledger: Ledger;
  /** Stands in for a recorded analyser that is not at hand: most of its terms are the same. */
  readonly #fallback: Analyser;
  readonly #wait: ModelWait;
  readonly #embedderChoice: EmbedderChoice | undefined;
  readonly #lookUps = new Map<string, Promise<void>>();
  #spaces: readonly Space[] = [];

  constructor(
    ledger: Ledger,
    {
      fallback,
      embedder,
      wait,
    }: {
      readonly fallback: Analyser;
      readonly embedder: EmbedderChoice | undefined;
      readonly wait: ModelWait;
    },
  ) {
    this.#ledger = ledger;
    this.#embedderChoice = embedder;
    this.#fallback = fallback;
    this.#wait = wait;
  }

  /** Spaces as they were last seen. */
  get spaces(): readonly Space[] {
    return this.#spaces;
  }

  get live(): readonly Space[] {
    return this.#spaces.filter(({ state }) => state !== "retired");
  }

  find(kind: Space["kind"], state: Space["state"] = "active"): Space | undefined {
    return this.#spaces.find((space) => space.kind === kind && space.state === state);
  }

  /** Looks at the spaces again; whether what a recall searches has changed. */
  async refresh(options?: CallOptions): Promise<boolean> {
    const before = [this.find("lexical")?.id, this.find("dense")?.id];
    this.#spaces = await this.#ledger.spaces.list(options);
    for (const space of this.live) {
      // Whoever cannot be loaded is missing, which is said where it matters.
      if (space.kind === "dense" && !this.makers.has(space)) await this.lookUp(space).catch(() => undefined);
    }
    return before[0] !== this.find("lexical")?.id || before[1] !== this.find("dense")?.id;
  }

  /**
   * Looks for the embedder that made a space, once: it may be the chosen one, or one of this package.
   *
   * @throws FluxError `invalid_argument` when what was chosen is no embedder
   */
  lookUp(space: Space): Promise<void> {
    const known = this.#lookUps.get(space.maker);
    if (known !== undefined) return known;
    const lookUp = this.#lookUp(space);
    this.#lookUps.set(space.maker, lookUp);
    return lookUp;
  }

  async #lookUp(space: Space): Promise<void> {
    try {
      const { embedder, failure } = await findEmbedder(space, this.#embedderChoice);
      this.makers.add({ embedder });
      if (failure !== undefined) this.makers.failed(space.maker, failure);
    } catch (error) {
      this.makers.failed(space.maker, error);
      throw error;
    }
  }

  active(): ActiveSpaces {
    const lexical = this.find("lexical");
    if (lexical === undefined) throw noIndex();
    const dense = this.find("dense");
    const analyser = this.makers.analyser(lexical.maker);
    return {
      ...{ lexical, dense },
      analyser: analyser ?? this.#fallback,
      exact: analyser !== undefined,
      embedder: dense === undefined ? undefined : this.#embedder(dense),
      embedderFailure: dense === undefined ? undefined : this.makers.failure(dense),
    };
  }

  #embedder(space: Space): Embedder | undefined {
    const embedder = this.makers.embedder(space);
    return embedder === undefined ? undefined : checkedEmbedder(embedder, space);
  }

  /**
   * Makes the entries of texts for all live spaces. What an embedder does not make is missing from the result.
   *
   * @throws what an analyser fails with; the reason of an aborted signal; FluxError `storage_corrupt` where there is no index of
   *   words: what is stored without one is never found
   */
  async make(texts: readonly IndexedText[], signal: AbortSignal | undefined): Promise<MadeEntries> {
    const { live } = this;
    if (this.find("lexical") === undefined) throw noIndex();
    const entries = texts.map((): IndexEntry[] => []);
    const missing = texts.map((): number[] => []);
    for (const space of live) {
      let failed = !this.#canMake(space);
      for (let from = 0; from < texts.length; from += batch) {
        const part = texts.slice(from, from + batch);
        // Others have their turn before the next texts.
        if (from > 0) await new Promise((resolve) => setTimeout(resolve, 0));
        // After one failure the rest would most likely wait for nothing.
        const made = failed ? undefined : await this.#tryMake(space, part, signal);
        failed = made === undefined;
        for (let i = 0; i < part.length; i++) {
          const entry = made?.[i];
          if (failed) missing[from + i]?.push(space.id);
          else if (entry !== undefined) entries[from + i]?.push(entry);
        }
      }
    }
    return { spaces: live.map(({ id }) => id), entries, missing };
  }

  async #tryMake(
    space: Space,
    texts: readonly IndexedText[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (IndexEntry | undefined)[] | undefined> {
    if (space.kind === "lexical") return this.#terms(space, texts);
    const forms = texts.map(embeddedForm);
    let vectors: readonly Float32Array[];
    try {
      vectors = await this.#embed(space, forms, signal);
    } catch {
      // The job that is left for it meets the same error, and tells it.
      signal?.throwIfAborted();
      return undefined;
    }
    return vectorEntries(space, vectors);
  }

  #canMake(space: Space): boolean {
    return this.makers.has(space) || (space.kind === "lexical" && space.state === "active");
  }

  /**
   * The entry of each text in one space; undefined where there is nothing to find it by.
   *
   * @throws what the embedder fails with; FluxError `timeout`, `dimension_mismatch`, and `unavailable` without its maker
   */
  async makeFor(
    space: Space,
    texts: readonly IndexedText[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (IndexEntry | undefined)[]> {
    if (space.kind === "lexical") return this.#terms(space, texts);
    return vectorEntries(space, await this.#embed(space, texts.map(embeddedForm), signal));
  }

  #terms({ id, maker, state }: Space, texts: readonly IndexedText[]): readonly (IndexEntry | undefined)[] {
    const analyser = this.makers.analyser(maker) ?? (state === "active" ? this.#fallback : undefined);
    if (analyser === undefined) throw makerMissing();
    return texts.map((text) => {
      const terms = termsOf(analyser, text);
      return terms.length > 0 ? { space: id, terms } : undefined;
    });
  }

  async #embed(
    space: Space,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const embedder = this.#embedder(space);
    if (embedder === undefined) throw makerMissing();
    return within({ ...this.#wait, signal }, (ended) =>
      embedder.embed(texts, { kind: "document", signal: ended }),
    );
  }
}

function vectorEntries({ id }: Space, vectors: readonly Float32Array[]): readonly (IndexEntry | undefined)[] {
  return vectors.map((vector) => (vector.some((value) => value !== 0) ? { space: id, vector } : undefined));
}

function noIndex(): FluxError {
  return new FluxError("storage_corrupt", "The store has no index of words", {
    hint: "It was damaged, or another one took its place. Close this Flux and open it again, which makes an index; then rebuild().",
  });
}

function makerMissing(): FluxError {
  return new FluxError("unavailable", "The analyser or embedder of this index is not at hand", {
    hint: "Give it to Flux.open, or rebuild with another one.",
  });
}
