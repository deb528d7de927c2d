import type { Embedder } from "../embed/embedder.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import type { Space } from "../store/search.ts";
import { type Analyser, createAnalyser } from "../text/analyser.ts";

/** An embedder, and what it said about itself when it was given: it may change while the store is open. */
interface KnownEmbedder {
  readonly embedder: Embedder;
  readonly id: string;
  readonly dimensions: number;
}

/** The analysers and embedders that this process has, by their ids. */
export class Makers {
  readonly #analysers = new Map<string, Analyser>();
  /** The latest first; one of each id and dimensions. */
  #embedders: readonly KnownEmbedder[] = [];
  readonly #failures = new Map<string, FailureCause>();
  /** Ids that are no analyser of this package: to find that out takes building all of them. */
  readonly #unknown = new Set<string>();

  add(maker: { readonly analyser?: Analyser | undefined; readonly embedder?: Embedder | undefined }): void {
    const { analyser, embedder } = maker;
    if (analyser !== undefined) this.#analysers.set(analyser.id, analyser);
    if (embedder === undefined) return;
    const { id, dimensions } = embedder;
    const others = this.#embedders.filter((one) => one.id !== id || one.dimensions !== dimensions);
    this.#embedders = [{ embedder, id, dimensions }, ...others];
  }

  analyser(id: string): Analyser | undefined {
    const given = this.#analysers.get(id);
    if (given !== undefined || this.#unknown.has(id)) return given;
    const known = analyserOf(id);
    if (known === undefined) this.#unknown.add(id);
    else this.add({ analyser: known });
    return known;
  }

  /** The embedder that made a space: of its id, then and now, and its dimensions. */
  embedder(space: Pick<Space, "maker" | "dimensions">): Embedder | undefined {
    return this.#embedders.find((known) => problemOf(known, space) === undefined)?.embedder;
  }

  /** Remembers why a maker could not be loaded. */
  failed(id: string, error: unknown): void {
    this.#failures.set(id, failureCause(error));
  }

  /** Why a maker that is not at hand is not, where that is known. */
  failure(space: Pick<Space, "maker" | "dimensions">): FailureCause | undefined {
    if (this.embedder(space) !== undefined) return undefined;
    const known = this.#embedders.find(({ id }) => id === space.maker);
    return (known && problemOf(known, space)) ?? this.#failures.get(space.maker);
  }

  has(space: Space): boolean {
    return (space.kind === "lexical" ? this.analyser(space.maker) : this.embedder(space)) !== undefined;
  }
}

/** Why an embedder is not the one that made a space. */
function problemOf(
  { embedder, id, dimensions }: KnownEmbedder,
  space: Pick<Space, "maker" | "dimensions">,
): FailureCause | undefined {
  if (id !== space.maker || embedder.id !== id)
    return { code: "invalid_argument", hint: "The embedder's id changed while the store was open." };
  if (dimensions === space.dimensions) return undefined;
  const hint = `It makes vectors of ${dimensions} numbers, and those of the store have ${space.dimensions}: give it another id.`;
  return { code: "dimension_mismatch", hint };
}

/** The analyser of this package with this id, whatever its options. */
function analyserOf(id: string): Analyser | undefined {
  for (const stem of [true, false])
    for (const stopWords of [true, false])
      for (const compounds of [true, false])
        for (const cjk of ["both", "words", "pairs"] as const) {
          const analyser = createAnalyser({ stem, stopWords, compounds, cjk });
          if (analyser.id === id) return analyser;
        }
  return undefined;
}
