import { FluxError } from "../model/errors.ts";

/**
 * Refuses what is not as many vectors as there are texts, of the embedder's dimensions and of finite numbers.
 *
 * @throws FluxError `dimension_mismatch`
 */
export function checkVectors(vectors: unknown, count: number, dimensions: number): readonly Float32Array[] {
  if (Array.isArray(vectors) && vectors.length === count) {
    // Array.from turns the holes of a sparse array into undefined, which is no vector.
    const list = Array.from<unknown>(vectors);
    if (list.every((vector) => isVector(vector, dimensions))) return list as Float32Array[];
  }
  throw new FluxError("dimension_mismatch", "The embedder made vectors of the wrong number or dimensions");
}

function isVector(value: unknown, dimensions: number): boolean {
  return value instanceof Float32Array && value.length === dimensions && value.every(Number.isFinite);
}
