/** Vectors by key, the ones used last, up to a size. */
export class VectorCache {
  readonly #vectors = new Map<string, Float32Array>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key);
    if (vector !== undefined) {
      // A map keeps the order of insertion: what was used last goes to the end.
      this.#vectors.delete(key);
      this.#vectors.set(key, vector);
    }
    return vector;
  }

  set(key: string, vector: Float32Array): void {
    this.#remove(key);
    this.#vectors.set(key, vector);
    this.#bytes += sizeOf(key, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return;
    this.#vectors.delete(key);
    this.#bytes -= sizeOf(key, vector);
  }
}

/** Two bytes a UTF-16 unit, and about 100 for the entry itself. */
function sizeOf(key: string, vector: Float32Array): number {
  return 2 * key.length + vector.byteLength + 100;
}
