import { FluxError } from "../../model/errors.ts";
import { repairText } from "../../model/unicode.ts";
import { cutToUnits } from "../../text/cut.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";
import { normalise } from "../normalise.ts";
import { checkTexts } from "../texts.ts";
import { attempted } from "./attempts.ts";
import { batchesOf, inParallel } from "./batches.ts";
import { type EmbeddingModel, optionsForKind } from "./model.ts";

/** How a model is called. */
export interface ModelCallOptions {
  /** UTF-16 units of a text that are embedded; the rest is cut off. Default 8,000, which any model of 8,192 tokens takes. */
  readonly maxCharacters?: number;
  /** UTF-16 units of all texts in one call. Default 200,000; OpenAI takes 300,000 tokens. */
  readonly maxCharactersPerCall?: number;
  /** Texts in one call. Default: what the model says of itself, else 100. */
  readonly maxTextsPerCall?: number;
  /** How often a call is made again after a failure that may pass. Default 2. */
  readonly maxRetries?: number;
  /** Milliseconds for each attempt. Default 30,000. */
  readonly timeout?: number;
}

export interface ModelEmbedderOptions extends ModelCallOptions {
  readonly dimensions: number;
  /** Where the model runs, if not with its provider; in the id. */
  readonly server?: string | undefined;
}

const defaultCharacters = 8000;

/** Calls at the same time, of models that allow it. */
const atOnce = 4;

/**
 * Embeds by a model: in batches within its limits, with retries, and with every answer checked. Texts of white space alone
 * have the zero vector and are not sent.
 */
export class ModelEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly #model: () => Promise<EmbeddingModel>;
  readonly #options: Required<Omit<ModelCallOptions, "maxTextsPerCall">>;
  readonly #maxTexts: number | undefined;

  /** @param name provider and model, in ids and messages */
  constructor(name: string, model: () => Promise<EmbeddingModel>, options: ModelEmbedderOptions) {
    const { dimensions, maxTextsPerCall, server } = options;
    positive(options);
    this.dimensions = dimensions;
    this.#model = model;
    this.#maxTexts = maxTextsPerCall;
    const {
      maxCharacters = defaultCharacters,
      maxCharactersPerCall = 200_000,
      maxRetries = 2,
      timeout = 30_000,
    } = options;
    this.#options = { maxCharacters, maxCharactersPerCall, maxRetries, timeout };
    const where = server === undefined ? "" : `;at=${server}`;
    const most = maxCharacters === defaultCharacters ? "" : `;max=${maxCharacters}`;
    this.id = `${name};${dimensions}${where}${most}`;
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    checkTexts(texts, options);
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.dimensions));
    const places: number[] = [];
    const sent = texts.flatMap((text, place) => {
      const cut = cutToUnits(repairText(text), this.#options.maxCharacters);
      if (cut.trim() === "") return [];
      places.push(place);
      return [cut];
    });
    if (sent.length === 0) return vectors;
    const model = await this.#model();
    const [most, parallel] = await Promise.all([model.maxEmbeddingsPerCall, model.supportsParallelCalls]);
    const limits = { texts: this.#maxTexts ?? most ?? 100, characters: this.#options.maxCharactersPerCall };
    const answers = await inParallel(batchesOf(sent, limits), parallel ? atOnce : 1, (batch) =>
      this.#call(model, batch, options),
    );
    answers.flat().forEach((vector, i) => {
      vectors[places[i] ?? 0] = vector;
    });
    return vectors;
  }

  #call(model: EmbeddingModel, values: string[], { kind, signal }: EmbedOptions): Promise<Float32Array[]> {
    const name = `${model.provider}/${model.modelId}`;
    const { maxRetries: retries, timeout } = this.#options;
    const providerOptions = optionsForKind(model.provider, kind);
    return attempted(
      async (abortSignal) => {
        const call = { values, abortSignal, ...(providerOptions && { providerOptions }) };
        const { embeddings } = await model.doEmbed(call);
        return this.#checked(embeddings, values.length, name);
      },
      { name, retries, timeout, signal },
    );
  }

  #checked(embeddings: unknown, expected: number, name: string): Float32Array[] {
    const useless = (what: string): FluxError =>
      new FluxError("model_failed", `${name} ${what}`, { retryable: true });
    if (!Array.isArray(embeddings)) throw useless("answered without vectors");
    if (embeddings.length !== expected)
      throw useless(`answered with ${embeddings.length} vectors for ${expected} texts`);
    return embeddings.map((embedding) => {
      if (!isNumbers(embedding)) throw useless("answered with a vector that is not all numbers");
      if (embedding.length !== this.dimensions) {
        const message = `${name} answered with ${embedding.length} dimensions instead of ${this.dimensions}`;
        throw new FluxError("dimension_mismatch", message, { hint: "Give the dimensions of the model." });
      }
      return normalise(Float32Array.from(embedding));
    });
  }
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return (
    (Array.isArray(value) || value instanceof Float32Array) &&
    value.every((number) => Number.isFinite(number))
  );
}

function positive(options: ModelEmbedderOptions): void {
  const { dimensions, maxCharacters, maxCharactersPerCall, maxTextsPerCall, timeout, maxRetries } = options;
  const numbers = { dimensions, maxCharacters, maxCharactersPerCall, maxTextsPerCall, timeout };
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw new FluxError("invalid_argument", `${name} must be a whole number above 0`);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new FluxError("invalid_argument", "maxRetries must be a whole number, 0 or more");
}
