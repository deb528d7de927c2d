/** Of a vector with one that begins at a place of a larger array. */
export function dotProduct(vector: Float32Array, values: Float32Array, start = 0): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (values[start + i] as number);
  return sum;
}

/**
 * Of a vector with others that lie one behind the other in an array; the same numbers as `dotProduct`. Four vectors at a time, whose
 * sums do not wait for each other, and four numbers of each take half of the time.
 *
 * @param rows which of them; the first `count` when absent
 */
export function dotProducts(
  vector: Float32Array,
  values: Float32Array,
  count: number,
  rows?: readonly number[],
): Float64Array {
  const products = new Float64Array(count);
  const size = vector.length;
  const factors = Float64Array.from(vector);
  const startOf = (place: number): number => (rows === undefined ? place : (rows[place] as number)) * size;
  const wholeRows = count - (count % 4);
  const whole = size - (size % 4);
  for (let row = 0; row < wholeRows; row += 4) {
    const first = startOf(row);
    const second = startOf(row + 1);
    const third = startOf(row + 2);
    const fourth = startOf(row + 3);
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < whole; i += 4) {
      const w = factors[i] as number;
      const x = factors[i + 1] as number;
      const y = factors[i + 2] as number;
      const z = factors[i + 3] as number;
      a = sum4(a, w, x, y, z, values, first + i);
      b = sum4(b, w, x, y, z, values, second + i);
      c = sum4(c, w, x, y, z, values, third + i);
      d = sum4(d, w, x, y, z, values, fourth + i);
    }
    for (let i = whole; i < size; i++) {
      const factor = factors[i] as number;
      a += factor * (values[first + i] as number);
      b += factor * (values[second + i] as number);
      c += factor * (values[third + i] as number);
      d += factor * (values[fourth + i] as number);
    }
    products[row] = a;
    products[row + 1] = b;
    products[row + 2] = c;
    products[row + 3] = d;
  }
  for (let row = wholeRows; row < count; row++) products[row] = dotProduct(vector, values, startOf(row));
  return products;
}

/** A sum and four products more, added in their order. */
function sum4(
  sum: number,
  w: number,
  x: number,
  y: number,
  z: number,
  values: Float32Array,
  at: number,
): number {
  return (
    sum +
    w * (values[at] as number) +
    x * (values[at + 1] as number) +
    y * (values[at + 2] as number) +
    z * (values[at + 3] as number)
  );
}
