// The little linear algebra that the build needs, over lists of vectors.
import { normal, seededRandom } from "./random.ts";

export type Vector = Float32Array;

export function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

export function scaled(vector: Vector, factor: number): Vector {
  return vector.map((value) => value * factor);
}

export function unit(vector: Vector): Vector {
  return scaled(vector, 1 / (Math.sqrt(dot(vector, vector)) || 1));
}

export function addTo(sum: Vector, vector: Vector, factor = 1): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + factor * (vector[i] as number);
}

export function joined(a: Vector, b: Vector): Vector {
  return Float32Array.from([...a, ...b]);
}

function meanOf(vectors: readonly Vector[]): Vector {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) addTo(sum, vector, 1 / vectors.length);
  return sum;
}

export function centred(vectors: readonly Vector[]): Vector[] {
  const mean = meanOf(vectors);
  return vectors.map((vector) => vector.map((value, i) => value - (mean[i] as number)));
}

/** Divides all by one number, so that their squared length is 1 on average. */
export function evened(vectors: readonly Vector[]): Vector[] {
  const square = vectors.reduce((sum, vector) => sum + dot(vector, vector), 0) / vectors.length;
  return vectors.map((vector) => scaled(vector, 1 / Math.sqrt(square)));
}

/** The components of a vector along each of the axes. */
export function projected(vector: Vector, axes: readonly Vector[]): Vector {
  return Float32Array.from(axes, (axis) => dot(vector, axis));
}

/** What is left of a vector without its components along the axes, which are orthonormal. */
export function without(vector: Vector, axes: readonly Vector[]): Vector {
  const rest = vector.slice();
  for (const axis of axes) addTo(rest, axis, -dot(vector, axis));
  return rest;
}

/** The directions in which the vectors are largest, as principal component analysis has them: the first one first. */
export function principalAxes(vectors: readonly Vector[], count: number): Vector[] {
  const size = vectors[0]?.length ?? 0;
  const products = new Float64Array(size * size);
  for (const vector of vectors)
    for (let i = 0; i < size; i++) {
      const value = vector[i] as number;
      for (let j = i; j < size; j++)
        products[i * size + j] = (products[i * size + j] as number) + value * (vector[j] as number);
    }
  const times = (v: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
    const result = new Float64Array(size);
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        const product = products[i <= j ? i * size + j : j * size + i] as number;
        result[i] = (result[i] as number) + product * (v[j] as number);
      }
    return result;
  };
  return subspaceIteration(times, size, count);
}

/** Eigenvectors of the largest eigenvalues, by orthogonal iteration with some more vectors than are asked for. */
function subspaceIteration(
  times: (v: Float64Array<ArrayBuffer>) => Float64Array<ArrayBuffer>,
  size: number,
  count: number,
): Vector[] {
  const random = seededRandom(7);
  const width = Math.min(size, count + 20);
  let basis = Array.from({ length: width }, () => Float64Array.from({ length: size }, () => normal(random)));
  for (let round = 0; round < 40; round++) basis = orthonormal(basis.map(times));
  return basis.slice(0, count).map((axis) => Float32Array.from(axis));
}

/** A random rotation: it makes the components of vectors about equally large and changes no angle. */
export function rotation(size: number): Vector[] {
  const random = seededRandom(11);
  const rows = Array.from({ length: size }, () => Float64Array.from({ length: size }, () => normal(random)));
  return orthonormal(rows).map((row) => Float32Array.from(row));
}

/** Gram and Schmidt, modified, twice: once is not accurate enough. */
function orthonormal(vectors: readonly Float64Array<ArrayBuffer>[]): Float64Array<ArrayBuffer>[] {
  const basis: Float64Array<ArrayBuffer>[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    for (const axis of [...basis, ...basis]) {
      let product = 0;
      for (let i = 0; i < rest.length; i++) product += (rest[i] as number) * (axis[i] as number);
      for (let i = 0; i < rest.length; i++) rest[i] = (rest[i] as number) - product * (axis[i] as number);
    }
    const length = Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0));
    basis.push(rest.map((value) => value / length));
  }
  return basis;
}
