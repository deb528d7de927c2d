import { describe, FluxTypeError } from "../model/errors.ts";
import type { EmbedOptions } from "./embedder.ts";

/**
 * Refuses what is not a list of strings and an abort that has already happened, before any work is done.
 *
 * @throws FluxTypeError `invalid_argument`, and whatever the signal was aborted with
 */
export function checkTexts(texts: readonly string[], { kind, signal }: EmbedOptions): void {
  if (!Array.isArray(texts))
    throw new FluxTypeError("invalid_argument", `texts must be an array, not ${describe(texts)}`);
  for (const text of texts)
    if (typeof text !== "string")
      throw new FluxTypeError("invalid_argument", `a text to embed must be a string, not ${describe(text)}`);
  if (kind !== "query" && kind !== "document")
    throw new FluxTypeError("invalid_argument", 'kind must be "query" or "document"');
  signal?.throwIfAborted();
}
