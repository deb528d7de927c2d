import { fold } from "../../text/fold.ts";
import { tokenise } from "../../text/tokenise.ts";
import type { Embedder, EmbedOptions, RelatedWord } from "../embedder.ts";
import { normalise } from "../normalise.ts";
import { checkTexts } from "../texts.ts";
import { shippedTable } from "./load-table.ts";
import type { WordTable } from "./word-table.ts";

/** The embedder of the default: it also knows related words. */
export interface StaticEmbedder extends Embedder {
  /**
   * The words closest in meaning to an English word, best first, with the cosine of their vectors, 0.5 to 1; none for a word
   * that the table does not have. At most 6; about 5 µs.
   */
  related(word: string, limit: number): readonly RelatedWord[];
}

/**
 * The embedded default: the sum of word vectors from a table that the package ships, so it needs no model, no network and no
 * key, and takes some 40 µs a text. `docs/embedders.md` says how the table was made. Queries and documents are embedded alike.
 *
 * @throws FluxError `unavailable` or `storage_corrupt` if the table of the installed package cannot be read
 */
export async function staticEmbedder(): Promise<StaticEmbedder> {
  return tableEmbedder(await shippedTable());
}

/** The embedder of a table. */
export function tableEmbedder(table: WordTable): StaticEmbedder {
  // A few thousand words make up nearly all text; finding one in the list takes ten times as long as in a map.
  const places = new Map<string, number>();
  const placeOf = (word: string): number => {
    let place = places.get(word);
    if (place === undefined) {
      place = table.indexOf(word);
      if (places.size >= rememberedWords) places.clear();
      places.set(word, place);
    }
    return place;
  };
  const vectorOf = (text: string): Float32Array => {
    const sum = new Float32Array(table.dimensions);
    for (const { term } of tokenise(text, { cjk: "words", compounds: false })) {
      const place = placeOf(term);
      if (place >= 0) table.addWord(sum, place);
      else if (!numeric.test(term)) table.addUnknown(sum, term, unknownWeight);
    }
    return normalise(sum);
  };
  return {
    id: `static/1;${table.id}`,
    dimensions: table.dimensions,
    async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
      checkTexts(texts, options);
      return texts.map(vectorOf);
    },
    related: (word, limit) => table.related(fold(word), limit),
  };
}

/**
 * A guess from letters says little beside words that are known (at full weight it took 5 points of recall from English texts),
 * but it is all there is for a text of which no word is known.
 */
const unknownWeight = 0.1;
const rememberedWords = 20_000;
// Numbers mean nothing by their digits; lexical search finds them.
const numeric = /^\p{N}/u;
