/** A vector as pgvector reads it: nine digits tell any two 32-bit floats apart. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => Number(value.toPrecision(9))).join()}]`;
}
