import type { Embedder, EmbedOptions } from "../../src/embed/embedder.ts";
import { HashEmbedder } from "../../src/embed/hash-embedder.ts";

/** An embedder under the control of a test: it can fail, wait, or make nonsense, and counts its texts. */
export class TestEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly #hash: HashEmbedder;
  texts: string[] = [];
  calls = 0;
  /** Called before each embedding; what it throws is the failure. */
  before: (texts: readonly string[], options: EmbedOptions) => unknown = () => undefined;
  /** Replaces the vectors. */
  after: (vectors: readonly Float32Array[]) => readonly Float32Array[] = (vectors) => vectors;

  constructor(id = "test/1", dimensions = 64) {
    this.id = id;
    this.dimensions = dimensions;
    this.#hash = new HashEmbedder({ dimensions });
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]> {
    this.calls += 1;
    await this.before(texts, options);
    this.texts.push(...texts);
    return this.after(await this.#hash.embed(texts, options));
  }
}
