import { FluxError } from "../../model/errors.ts";
import type { EmbeddingCall, EmbeddingModel } from "./model.ts";
import { serverName } from "./server-name.ts";

/** The part of OpenAI's SDK that embeds. */
export interface OpenAIClient {
  readonly baseURL?: string | undefined;
  readonly embeddings: {
    create(
      request: { model: string; input: string[]; dimensions?: number; encoding_format: "float" },
      options?: { signal?: AbortSignal; maxRetries?: number },
    ): PromiseLike<{ readonly data: readonly { readonly embedding: unknown; readonly index?: number }[] }>;
  };
}

export function isOpenAIClient(value: unknown): value is OpenAIClient {
  const { embeddings } = Object(value) as { embeddings?: unknown };
  const { create } = Object(embeddings) as { create?: unknown };
  return typeof create === "function";
}

export interface OpenAIModelOptions {
  readonly model: string;
  /** Only asked for when given: models before text-embedding-3 refuse it. */
  readonly dimensions?: number | undefined;
  readonly client: OpenAIClient;
}

/** OpenAI's embedding models, or those of a server that speaks the same protocol, as a model of the AI SDK. */
export function openAIModel({ model, dimensions, client }: OpenAIModelOptions): EmbeddingModel {
  return {
    specificationVersion: "v3",
    provider: "openai",
    modelId: model,
    server: serverName(client.baseURL),
    maxEmbeddingsPerCall: 2048,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }: EmbeddingCall) {
      const size = dimensions === undefined ? {} : { dimensions };
      const answer = await client.embeddings.create(
        { model, input: values, ...size, encoding_format: "float" },
        // Whoever calls the model retries already.
        { maxRetries: 0, ...(abortSignal && { signal: abortSignal }) },
      );
      if (!Array.isArray(answer?.data))
        throw new FluxError("model_failed", `openai/${model} answered without vectors`, { retryable: true });
      return {
        embeddings: inOrder(answer.data, `openai/${model}`).map((item) => item?.embedding as number[]),
      };
    },
  };
}

/** The protocol has an index because the order is not promised. Some servers leave it out, of all items alike. */
function inOrder<T extends { readonly index?: number } | null>(data: readonly T[], name: string): T[] {
  if (data.every((item) => item?.index === undefined)) return [...data];
  const places = new Set(data.map((item) => item?.index));
  if (places.size < data.length || data.some((_, index) => !places.has(index)))
    throw new FluxError("model_failed", `${name} answered with indexes that are not those of the texts`, {
      retryable: true,
    });
  return data.toSorted((a, b) => (a?.index ?? 0) - (b?.index ?? 0));
}
