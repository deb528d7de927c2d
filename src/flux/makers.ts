import type { Embedder } from "../embed/embedder.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import type { Space } from "../store/search.ts";
import { type Analyser, createAnalyser } from "../text/analyser.ts";

/** The analysers and embedders that this process has, by their ids. */
export class Makers {
  readonly #analysers = new Map<string, Analyser>();
  readonly #embedders = new Map<string, Embedder>();
  readonly #failures = new Map<string, FailureCause>();
  /** Ids that are no analyser of this package: to find that out takes building all of them. */
  readonly #unknown = new Set<string>();

  add(maker: { readonly analyser?: Analyser | undefined; readonly embedder?: Embedder | undefined }): void {
    const { analyser, embedder } = maker;
    if (analyser !== undefined) this.#analysers.set(analyser.id, analyser);
    if (embedder !== undefined) this.#embedders.set(embedder.id, embedder);
  }

  analyser(id: string): Analyser | undefined {
    const given = this.#analysers.get(id);
    if (given !== undefined || this.#unknown.has(id)) return given;
    const known = analyserOf(id);
    if (known === undefined) this.#unknown.add(id);
    else this.add({ analyser: known });
    return known;
  }

  embedder(id: string): Embedder | undefined {
    return this.#embedders.get(id);
  }

  /** Remembers why a maker could not be loaded. */
  failed(id: string, error: unknown): void {
    this.#failures.set(id, failureCause(error));
  }

  /** Why a maker that is not at hand is not, where that is known. */
  failure(id: string): FailureCause | undefined {
    return this.#embedders.has(id) ? undefined : this.#failures.get(id);
  }

  has({ kind, maker }: Space): boolean {
    return (kind === "lexical" ? this.analyser(maker) : this.embedder(maker)) !== undefined;
  }
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
