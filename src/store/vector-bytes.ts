import { endianness } from "node:os";

// Vectors are stored as little-endian 32-bit floats, which is what `sqlite-vec` takes and what nearly every machine has.
const swapped = endianness() === "BE";

export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.slice().buffer);
  return swapped ? bytes.swap32() : bytes;
}

export function decodeVector(bytes: Buffer): Float32Array {
  // A copy: floats need an address that is a multiple of four.
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  if (swapped) copy.swap32();
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4);
}
