/** What an embedder is told with every call. */
export interface EmbedOptions {
  /** Whether the texts are searched with or searched for. Some models embed the two differently. */
  readonly kind: "query" | "document";
  readonly signal?: AbortSignal;
}

/** A word of nearly the same meaning, and the cosine of the two words' vectors. */
export interface RelatedWord {
  readonly word: string;
  readonly similarity: number;
}

/** Turns texts into vectors. Vectors are only comparable with those of an embedder of the same `id`. */
export interface Embedder {
  /** Name and version, or a hash of the content: everything that changes the vectors it makes. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector a text, in order: of length 1, or all zero for a text without content. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  /** Words of nearly the same meaning as a word, best first. Only static tables have it. */
  related?(word: string, limit: number): readonly RelatedWord[];
}
