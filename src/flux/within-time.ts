import type { Embedder } from "../embed/embedder.ts";
import { normalise } from "../embed/normalise.ts";
import { FluxError } from "../model/errors.ts";

/**
 * An embedder whose calls end after so many milliseconds, whether it listens to its signal or not, and whose vectors are as
 * many as the texts, of its dimensions, of finite numbers and of length 1. What an embedder made longer or shorter is divided
 * by its length; a vector of zeros stays one.
 *
 * @throws FluxError (from `embed`) `timeout`, `dimension_mismatch`
 */
export function withinTime(embedder: Embedder, milliseconds: number): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    ...(embedder.related === undefined ? {} : { related: embedder.related.bind(embedder) }),
    async embed(texts, { kind, signal }) {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(tooSlow()), milliseconds);
      const ended = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
      try {
        const vectors = await Promise.race([embedder.embed(texts, { kind, signal: ended }), aborted(ended)]);
        if (vectors.length === texts.length && vectors.every(isVector(embedder.dimensions)))
          // A copy: what the embedder returned may be remembered by it.
          return vectors.map((vector) => normalise(vector.slice()));
        throw new FluxError(
          "dimension_mismatch",
          "The embedder made vectors of the wrong number or dimensions",
        );
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function isVector(dimensions: number): (vector: Float32Array) => boolean {
  return (vector) =>
    vector instanceof Float32Array && vector.length === dimensions && vector.every(Number.isFinite);
}

function tooSlow(): FluxError {
  return new FluxError("timeout", "The embedder ran into its time-out", { retryable: true });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
