import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import type { Embedder } from "../embedder.ts";
import { localEmbedder } from "./local-embedder.ts";
import { contentHash, isFolder } from "./model-folder.ts";

/** How exact the weights are; `fp32` is a file `onnx/model.onnx`, `q8` is `onnx/model_quantized.onnx`. */
export type WeightType = "fp32" | "fp16" | "q8" | "int8" | "uint8" | "q4" | "q4f16" | "bnb4";

export interface TransformersEmbedderOptions {
  /** The path of a folder with `config.json`, `tokenizer.json` and `onnx/`, or the name of a model on the hub. */
  readonly model: string;
  /** A branch, tag or commit on the hub. Default "main". */
  readonly revision?: string;
  /** Default "fp32". */
  readonly dtype?: WeightType;
  /** How the vectors of tokens become one: their mean, or that of the first or the last token. Default "mean". */
  readonly pooling?: "mean" | "cls" | "last_token";
  /** What the model expects before a query, such as "query: ". Default nothing. */
  readonly queryPrefix?: string;
  /** What the model expects before a document, such as "passage: ". Default nothing. */
  readonly documentPrefix?: string;
  /** UTF-16 units of a text that are embedded. The model cuts off by tokens as well. Default 8,000. */
  readonly maxCharacters?: number;
}

/**
 * An embedding model of transformers.js, from a folder, or from the hub of Hugging Face, where it is downloaded the first
 * time. It needs the package `@huggingface/transformers`. The `id` has a hash of the folder's files, or the revision.
 *
 * @throws FluxError `missing_package`; `model_failed` for a folder without a model that can be used, `unavailable` for a name
 *   that could not be loaded from the hub
 */
export async function transformersEmbedder(options: TransformersEmbedderOptions): Promise<Embedder> {
  const { model, revision = "main", dtype = "fp32", pooling = "mean", maxCharacters = 8000 } = options;
  if (typeof model !== "string" || model === "")
    throw new FluxTypeError("invalid_argument", `model must be a name or a path, not ${describe(model)}`);
  const { pipeline } = await loadPackage();
  const local = await isFolder(model);
  const extract = await pipeline("feature-extraction", model, {
    revision,
    dtype,
    local_files_only: local,
  }).catch((cause: unknown) => {
    throw local
      ? new FluxError("model_failed", "The folder has no model that can be loaded", { cause })
      : new FluxError("unavailable", "The model could not be loaded from the hub", {
          cause,
          retryable: true,
        });
  });
  const run = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const tensor = await extract([...texts], { pooling });
    const values = Float32Array.from(tensor.data as ArrayLike<number>);
    const size = values.length / texts.length;
    return texts.map((_, i) => values.subarray(i * size, (i + 1) * size));
  };
  const dimensions = (await run(["dimensions"]))[0]?.length ?? 0;
  const version = local ? await contentHash(model, dtype) : revision;
  const { queryPrefix = "", documentPrefix = "" } = options;
  const name = local ? "" : model;
  const settings = [version, dtype, pooling, JSON.stringify([queryPrefix, documentPrefix]), dimensions];
  return localEmbedder({
    id: `transformers/${name}@${settings.join(";")}`,
    dimensions,
    maxCharacters,
    prefixes: { query: queryPrefix, document: documentPrefix },
    run,
  });
}

async function loadPackage(): Promise<typeof import("@huggingface/transformers")> {
  try {
    return await import("@huggingface/transformers");
  } catch (cause) {
    const hint = "npm install @huggingface/transformers";
    throw new FluxError("missing_package", "The embedder needs the package @huggingface/transformers", {
      hint,
      cause,
    });
  }
}
