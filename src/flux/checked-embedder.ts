import type { Embedder } from "../embed/embedder.ts";
import { normalise } from "../embed/normalise.ts";
import { checkVectors } from "../embed/vectors.ts";
import type { Space } from "../store/search.ts";

/**
 * An embedder whose vectors are as many as the texts, of the space's dimensions, of finite numbers and of length 1. What an embedder
 * made longer or shorter is divided by its length; a vector of zeros stays one.
 *
 * @throws FluxError (from `embed`) `dimension_mismatch`, and what the embedder rejects with
 */
export function checkedEmbedder(
  embedder: Embedder,
  { maker, dimensions }: Pick<Space, "maker" | "dimensions">,
): Embedder {
  return {
    id: maker,
    dimensions,
    ...(embedder.related === undefined ? {} : { related: embedder.related.bind(embedder) }),
    async embed(texts, options) {
      const vectors = await embedder.embed(texts, options);
      // A copy: what the embedder returned may be remembered by it.
      return checkVectors(vectors, texts.length, dimensions).map((vector) => normalise(vector.slice()));
    },
  };
}
