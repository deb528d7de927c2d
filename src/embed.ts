/**
 * Embedders beyond those of the main entry: the embedded default, a sentence encoder, models of transformers.js and of the AI
 * SDK, and a cache for any of them. Runs anywhere; optional packages are loaded when they are asked for.
 *
 * @module
 */

export { type CacheOptions, cached } from "./embed/cached.ts";
export type { Embedder, EmbedOptions, RelatedWord } from "./embed/embedder.ts";
export { HashEmbedder, type HashEmbedderOptions } from "./embed/hash-embedder.ts";
export { sentenceEncoder } from "./embed/local/sentence-encoder.ts";
export {
  type TransformersEmbedderOptions,
  transformersEmbedder,
  type WeightType,
} from "./embed/local/transformers-embedder.ts";
export { type AiSdkEmbedderOptions, aiSdkEmbedder } from "./embed/models/ai-sdk-embedder.ts";
export type { EmbeddingModel } from "./embed/models/model.ts";
export type { ModelCallOptions } from "./embed/models/model-embedder.ts";
export { OpenAIEmbedder, type OpenAIEmbedderOptions } from "./embed/models/openai-embedder.ts";
export type { OpenAIClient } from "./embed/models/openai-model.ts";
export { type EmbedderChoice, resolveEmbedder } from "./embed/resolve.ts";
export { ShingleHashEmbedder } from "./embed/shingle-hash-embedder.ts";
export { type StaticEmbedder, staticEmbedder } from "./embed/static/static-embedder.ts";
