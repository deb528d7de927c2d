import type { Embedder } from "../embed/embedder.ts";
import { HashEmbedder } from "../embed/hash-embedder.ts";
import { type EmbedderChoice, resolveEmbedder } from "../embed/resolve.ts";
import { FluxError } from "../model/errors.ts";
import type { Space } from "../store/search.ts";

export interface FoundEmbedder {
  /** Undefined when none of the candidates is it, or it cannot be loaded. */
  readonly embedder: Embedder | undefined;
  /** Why the chosen one, or else the one that the environment names, could not be loaded. */
  readonly failure: FluxError | undefined;
}

/**
 * The embedder that made a space: the chosen one, one of this package that needs nothing, or the one that the environment
 * names.
 *
 * @throws FluxError `invalid_argument` for a choice that is none; an error that is no FluxError
 */
export async function findEmbedder(
  { maker, dimensions }: Space,
  choice: EmbedderChoice | undefined,
): Promise<FoundEmbedder> {
  const chosen = () => resolveEmbedder(choice);
  const fromEnvironment = () => resolveEmbedder();
  const candidates = [
    ...(choice === undefined ? [] : [chosen]),
    () => new HashEmbedder({ dimensions }),
    () => resolveEmbedder("shingle-hash"),
    () => resolveEmbedder("static"),
    fromEnvironment,
  ];
  let failure: FluxError | undefined;
  for (const candidate of candidates) {
    try {
      const embedder = await candidate();
      if (embedder.id === maker) return { embedder, failure: undefined };
    } catch (error) {
      if (!FluxError.isInstance(error)) throw error;
      // What was asked for and is no embedder is a mistake; what cannot be loaded here and now is missing.
      if (candidate === chosen && error.code === "invalid_argument") throw error;
      if (candidate === chosen || candidate === fromEnvironment) failure ??= error;
    }
  }
  return { embedder: undefined, failure };
}
