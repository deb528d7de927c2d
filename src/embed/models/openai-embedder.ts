import { FluxError } from "../../model/errors.ts";
import { knownDimensions } from "./known-models.ts";
import { type ModelCallOptions, ModelEmbedder } from "./model-embedder.ts";
import { type OpenAIHttpOptions, openAIHttp } from "./openai-http.ts";
import { type OpenAIClient, openAIModel } from "./openai-model.ts";

export interface OpenAIEmbedderOptions extends ModelCallOptions, OpenAIHttpOptions {
  /**
   * Length of the vectors. Given, it is asked of the model (text-embedding-3 and later can shorten); else it is the model's
   * own, or 1,536 for a model that is not known.
   */
  readonly dimensions?: number;
  /** A client of the package `openai`, used in place of `apiKey` and `baseURL`. */
  readonly client?: OpenAIClient;
}

/**
 * Embeds by OpenAI's models, or by a server that speaks the same protocol (`baseURL`). It needs no package. Nothing is called
 * before the first text.
 *
 * @throws FluxError see {@link aiSdkEmbedder}
 */
export class OpenAIEmbedder extends ModelEmbedder {
  constructor(model = "text-embedding-3-small", options: OpenAIEmbedderOptions = {}) {
    if (typeof model !== "string" || model === "")
      throw new FluxError("invalid_argument", "model must be the name of a model");
    const { dimensions, client = openAIHttp(options) } = options;
    const service = openAIModel({ model, dimensions, client });
    const length = dimensions ?? knownDimensions(model) ?? 1536;
    super(`openai/${model}`, async () => service, {
      ...options,
      dimensions: length,
      server: service.server,
    });
  }
}
