/**
 * Vectors of which each component takes four bits: its code minus 7.5, times the scale of the vector. A scale takes eight
 * bits, as a step of a geometric series. Components should be about equally large, which a random rotation sees to.
 */
export class PackedVectors {
  readonly #dimensions: number;
  readonly #codes: Uint8Array;
  readonly #scales: Uint8Array;
  readonly #scaleOf: Float32Array;

  constructor(dimensions: number, codes: Uint8Array, scales: Uint8Array, series: ScaleSeries) {
    this.#dimensions = dimensions;
    this.#codes = codes;
    this.#scales = scales;
    this.#scaleOf = Float32Array.from({ length: 256 }, (_, step) => series.first * series.ratio ** step);
  }

  /** Adds the vector at a place, times a factor, to a sum. */
  addTo(sum: Float32Array, index: number, factor = 1): void {
    const bytes = this.#dimensions / 2;
    const start = index * bytes;
    const scale = factor * (this.#scaleOf[this.#scales[index] ?? 0] ?? 0);
    for (let i = 0; i < bytes; i++) {
      const pair = this.#codes[start + i] ?? 0;
      sum[2 * i] = (sum[2 * i] ?? 0) + ((pair & 15) - 7.5) * scale;
      sum[2 * i + 1] = (sum[2 * i + 1] ?? 0) + ((pair >> 4) - 7.5) * scale;
    }
  }
}

/** The scale of step n is first · ratio^n. */
export interface ScaleSeries {
  readonly first: number;
  readonly ratio: number;
}
