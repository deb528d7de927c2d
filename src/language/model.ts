/** One entry of a conversation with a model. */
export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user" | "assistant"; content: { type: "text"; text: string }[] };

export interface LanguageModelCall {
  prompt: ModelMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  /** With a JSON schema, whose type is that of a package we do not ask users to have. */
  responseFormat?: { type: "json"; schema?: object; name?: string };
  abortSignal?: AbortSignal;
}

/**
 * What we use of a language model of the AI SDK (specifications v2, v3 and v4), written out: the types of an optional
 * package must not appear among ours.
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(call: LanguageModelCall): PromiseLike<{
    readonly content: readonly { readonly type: string; readonly text?: unknown }[];
    /** A word in v2, an object with the word as `unified` since v3. */
    readonly finishReason: unknown;
    /** Tokens as numbers in v2, as objects with a `total` since v3. */
    readonly usage?: unknown;
  }>;
}

export function isLanguageModel(value: unknown): value is LanguageModel {
  const { doGenerate, modelId, provider } = Object(value) as Partial<Record<keyof LanguageModel, unknown>>;
  return typeof doGenerate === "function" && typeof modelId === "string" && typeof provider === "string";
}

/** A model with the way to it. */
export interface LanguageModelSettings {
  /** A model of the AI SDK, or a name as in {@link LanguageModelChoice}. */
  readonly model: LanguageModel | string;
  /** Of a model given by name: the address of its server. Default: what its provider says. */
  readonly baseURL?: string | undefined;
  /** Of a model given by name. Default: the environment variable of its provider, such as OPENAI_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Milliseconds that one answer may take. Default 60,000. */
  readonly timeout?: number | undefined;
  /**
   * Asked before every call whether it may be made; what is refused, also by an error, is asked for again an hour later.
   * Default: it may.
   */
  readonly budget?: ((call: PlannedCall) => boolean | PromiseLike<boolean>) | undefined;
  /** Told of every call that was answered. What it throws is not looked at. */
  readonly onUsage?: ((usage: ModelUsage) => void) | undefined;
}

/** A call that is about to be made. */
export interface PlannedCall {
  /** Provider and model, as `status` calls it. */
  readonly model: string;
  /** UTF-16 units of what it is sent. */
  readonly inputUnits: number;
  /** Tokens that its answer may have. */
  readonly maxOutputTokens: number;
}

/** What a call has used, as far as the provider says. */
export interface ModelUsage {
  /** Provider and model, as `status` calls it. */
  readonly model: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/**
 * What stands for a language model: one of the AI SDK, a name, or either with settings. Names: `ollama/llama3.1:8b` or plainly
 * `llama3.1:8b` for a model of Ollama on this machine (http://127.0.0.1:11434); `openai/gpt-…` (OPENAI_API_KEY, OPENAI_BASE_URL);
 * `openai-compatible/…` for any server that speaks OpenAI's protocol, with its `baseURL`; any other `provider/model` by the
 * package `@ai-sdk/provider`, which has to be installed.
 */
export type LanguageModelChoice = LanguageModel | LanguageModelSettings | (string & {});
