import type { Embedder } from "../embed/embedder.ts";
import { HashEmbedder } from "../embed/hash-embedder.ts";
import { type EmbedderChoice, resolveEmbedder } from "../embed/resolve.ts";
import { FluxError } from "../model/errors.ts";
import type { Space } from "../store/search.ts";

/**
 * The embedder that made a space: the chosen one, one of this package that needs nothing, or the one that the environment
 * names. Undefined when none of them is it, or it cannot be loaded.
 *
 * @throws FluxError `invalid_argument` for a choice that is none
 */
export async function findEmbedder(
  { maker, dimensions }: Space,
  choice: EmbedderChoice | undefined,
): Promise<Embedder | undefined> {
  const candidates = [
    ...(choice === undefined ? [] : [() => resolveEmbedder(choice)]),
    () => new HashEmbedder({ dimensions }),
    () => resolveEmbedder("shingle-hash"),
    () => resolveEmbedder("static"),
    () => resolveEmbedder(),
  ];
  for (const [i, candidate] of candidates.entries()) {
    try {
      const embedder = await candidate();
      if (embedder.id === maker) return embedder;
    } catch (error) {
      // What was asked for and is no embedder is a mistake; what cannot be loaded here and now is missing.
      if (choice !== undefined && i === 0 && isMistake(error)) throw error;
    }
  }
  return undefined;
}

function isMistake(error: unknown): boolean {
  return !FluxError.isInstance(error) || error.code === "invalid_argument";
}
