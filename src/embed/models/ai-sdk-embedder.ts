import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import type { Embedder } from "../embedder.ts";
import { attempted } from "./attempts.ts";
import { knownDimensions } from "./known-models.ts";
import { loadModel } from "./load-model.ts";
import { type EmbeddingModel, isEmbeddingModel } from "./model.ts";
import { type ModelCallOptions, ModelEmbedder } from "./model-embedder.ts";

export interface AiSdkEmbedderOptions extends ModelCallOptions {
  /** Length of the vectors the model makes. Asked of the model, with one word, if neither given nor known. */
  readonly dimensions?: number;
  readonly signal?: AbortSignal;
}

/**
 * An embedder of any embedding model of the AI SDK, or of a string such as `openai/text-embedding-3-small` or
 * `google/gemini-embedding-001`: the provider, whose package `@ai-sdk/…` has to be installed, and its model. OpenAI's models
 * need no package.
 *
 * Calls stay within the limits of the model, run in parallel where it allows that, and are made again after a time-out, a
 * rate limit or a failure of the service. Cohere, Google and Voyage are told whether a text is a query or a document.
 *
 * @throws FluxError `missing_package`; `unauthorized`, `rate_limited`, `timeout`, `unavailable` and `model_failed` from calls;
 *   `dimension_mismatch` for vectors of another length
 */
export async function aiSdkEmbedder(
  model: EmbeddingModel | string,
  options: AiSdkEmbedderOptions = {},
): Promise<Embedder> {
  const loaded = typeof model === "string" ? await loadModel(model) : model;
  if (!isEmbeddingModel(loaded)) {
    const message = `model must be an embedding model of the AI SDK or "provider/model", not ${describe(model)}`;
    throw new FluxTypeError("invalid_argument", message);
  }
  const name = `${loaded.provider.split(".")[0]}/${loaded.modelId}`;
  const { dimensions = knownDimensions(loaded.modelId) ?? (await askDimensions(loaded, name, options)) } =
    options;
  return new ModelEmbedder(name, async () => loaded, { ...options, dimensions, server: loaded.server });
}

async function askDimensions(
  model: EmbeddingModel,
  name: string,
  options: AiSdkEmbedderOptions,
): Promise<number> {
  const { maxRetries: retries = 2, timeout = 30_000, signal } = options;
  const { embeddings } = await attempted(
    async (abortSignal) => model.doEmbed({ values: ["dimensions"], abortSignal }),
    { name, retries, timeout, signal },
  );
  const dimensions = embeddings?.[0]?.length ?? 0;
  if (dimensions < 1) throw new FluxError("model_failed", `${name} answered without vectors`);
  return dimensions;
}
