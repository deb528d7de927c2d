import type { WeightType } from "./transformers-embedder.ts";

/** What transformers.js adds to the name of the file for each type of weights. */
const suffixes: Readonly<Record<WeightType, string>> = {
  fp32: "",
  fp16: "_fp16",
  q8: "_quantized",
  int8: "_int8",
  uint8: "_uint8",
  q4: "_q4",
  q4f16: "_q4f16",
  bnb4: "_bnb4",
};

/** False wherever there is no file system. */
export async function isFolder(path: string): Promise<boolean> {
  const files = fileSystem();
  if (files === undefined) return false;
  return files.stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** SHA-256 of the files that decide on the vectors, its first 16 hexadecimal digits. Reads the weights, a second for 1 GB. */
export async function contentHash(folder: string, dtype: WeightType): Promise<string> {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const { createReadStream } = process.getBuiltinModule("node:fs");
  const hash = createHash("sha256");
  for (const file of ["config.json", "tokenizer.json", `onnx/model${suffixes[dtype]}.onnx`])
    for await (const chunk of createReadStream(`${folder}/${file}`)) hash.update(chunk);
  return hash.digest("hex").slice(0, 16);
}

function fileSystem(): typeof import("node:fs/promises") | undefined {
  return typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:fs/promises");
}
