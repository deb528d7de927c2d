/** Divides a vector by its length, in place. A zero vector, or one with a component that is no number, becomes all zero. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!(squares > 0 && Number.isFinite(squares))) return vector.fill(0);
  const length = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
