/** JSON values by name: what providers of the AI SDK take as options of their own. */
type ProviderOptions = Record<string, Record<string, string | number | boolean>>;

/**
 * What we use of an embedding model of the AI SDK (specifications v2, v3 and v4), written out: the types of an optional
 * package must not appear among ours.
 */
export interface EmbeddingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Of ours only: where it runs, if not with its provider. */
  readonly server?: string | undefined;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean;
  doEmbed(call: EmbeddingCall): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

export interface EmbeddingCall {
  values: string[];
  abortSignal?: AbortSignal;
  providerOptions?: ProviderOptions;
}

export function isEmbeddingModel(value: unknown): value is EmbeddingModel {
  return (
    typeof value === "object" && value !== null && "doEmbed" in value && typeof value.doEmbed === "function"
  );
}

/** What some models want to be told about a text: whether it is a question or something to be found. */
export function optionsForKind(provider: string, kind: "query" | "document"): ProviderOptions | undefined {
  // "cohere.textEmbedding" is a name that the provider has given to itself.
  const name = provider.split(".")[0] ?? "";
  return Object.hasOwn(kinds, name) ? { [name]: kinds[name]?.[kind] ?? {} } : undefined;
}

const kinds: Readonly<Record<string, Record<"query" | "document", Record<string, string>>>> = {
  cohere: { query: { inputType: "search_query" }, document: { inputType: "search_document" } },
  google: { query: { taskType: "RETRIEVAL_QUERY" }, document: { taskType: "RETRIEVAL_DOCUMENT" } },
  voyage: { query: { inputType: "query" }, document: { inputType: "document" } },
};
