import { FluxError } from "../../model/errors.ts";
import { repairText } from "../../model/unicode.ts";
import { cutToUnits } from "../../text/cut.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";
import { batchesOf } from "../models/batches.ts";
import { normalise } from "../normalise.ts";
import { checkTexts } from "../texts.ts";
import { Turns } from "./turns.ts";

export interface LocalModel {
  readonly id: string;
  readonly dimensions: number;
  /** UTF-16 units of a text that are embedded; the rest is cut off. */
  readonly maxCharacters: number;
  /** What is put before the text, for models that were trained so. */
  readonly prefixes?: Readonly<Partial<Record<EmbedOptions["kind"], string>>>;
  /** The vectors of a few texts, none of them empty. */
  run(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>;
}

/** A model blocks the process while it works: pieces this small keep that short. */
const limits = { texts: 8, characters: 2000 };

/**
 * An embedder of a model that runs in this process: in small pieces, one at a time, queries first. Texts of white space alone
 * have the zero vector.
 */
export function localEmbedder({ id, dimensions, maxCharacters, prefixes = {}, run }: LocalModel): Embedder {
  const turns = new Turns();
  return {
    id,
    dimensions,
    async embed(texts, options) {
      checkTexts(texts, options);
      const { kind, signal } = options;
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      const places = [...texts.keys()].filter((place) => repairText(texts[place] ?? "").trim() !== "");
      const prefix = prefixes[kind] ?? "";
      const ready = places.map((place) => prefix + cutToUnits(repairText(texts[place] ?? ""), maxCharacters));
      let next = 0;
      for (const batch of batchesOf(ready, limits)) {
        const made = await turns.take(kind, async () => {
          signal?.throwIfAborted();
          return run(batch).catch((cause: unknown) => {
            throw new FluxError("model_failed", `The model ${id} failed`, { cause });
          });
        });
        for (const vector of made) vectors[places[next++] ?? 0] = normalise(Float32Array.from(vector));
      }
      return vectors;
    },
  };
}
