import type { Embedder } from "../src/embed/embedder.ts";
import { HashEmbedder } from "../src/embed/hash-embedder.ts";
import { ShingleHashEmbedder } from "../src/embed/shingle-hash-embedder.ts";

/** Embedders that a bench can be told to use, by name. */
const embedders: Readonly<Record<string, () => Embedder | false | undefined>> = {
  /** What a new store gets by itself. */
  default: () => undefined,
  none: () => false,
  hash: () => new HashEmbedder(),
  "shingle-hash": () => new ShingleHashEmbedder(),
};

export const embedderNames: readonly string[] = Object.keys(embedders);

/** @throws Error for a name that is not known */
export function embedderNamed(name: string): Embedder | false | undefined {
  const make = embedders[name];
  if (make === undefined) throw new Error(`There is no embedder ${name}. Known: ${embedderNames.join(", ")}`);
  return make();
}
