import type { Embedder, RelatedWord } from "../embed/embedder.ts";

/**
 * An embedder's related words, or none once it has thrown or answered what are none: it is a model like others, and may fail
 * like them.
 */
export function guardedRelated(
  embedder: Pick<Embedder, "related"> | undefined,
  onFailure: (error?: unknown) => void,
): Pick<Embedder, "related"> {
  if (embedder?.related === undefined) return {};
  let failed = false;
  return {
    related(word, limit) {
      if (failed) return [];
      try {
        const found = readRelated(embedder.related?.(word, limit), limit);
        if (found !== undefined) return found;
        onFailure();
      } catch (error) {
        onFailure(error);
      }
      failed = true;
      return [];
    },
  };
}

/** A copy, which says the same at every look; undefined where it is no list of related words. */
function readRelated(answer: unknown, limit: number): RelatedWord[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const words: RelatedWord[] = [];
  for (const item of answer.slice(0, limit)) {
    const { word, similarity } = Object(item) as { readonly [name in keyof RelatedWord]?: unknown };
    if (typeof word !== "string" || typeof similarity !== "number" || !Number.isFinite(similarity))
      return undefined;
    // Rounded vectors can have a cosine just above 1.
    words.push({ word, similarity: Math.min(1, similarity) });
  }
  return words;
}
