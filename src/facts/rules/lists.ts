import { nouns, type ObjectReader, type Piece } from "./objects.ts";

const joint =
  /(?:\s*,\s*(?:and\s+|or\s+|plus\s+)?|\s+(?:and|or|&|plus|but)\s+)(?:some\s+|(?:an?\s+)?(?:little\s+|fair\s+|good\s+)?bit\s+of\s+)?/giu;

/**
 * Reads what stands side by side one by one, as long as it is of a kind: "guitar" of "guitar a bit, self taught", "a mac" and
 * "windows" of "a mac at work but windows at home". With offsets in the text.
 */
export function inTurn(read: ObjectReader, accepts: (piece: Piece) => boolean): ObjectReader {
  return (text, options) => {
    const found: Piece[] = [];
    let at = 0;
    for (const match of [...text.matchAll(joint), undefined]) {
      const end = match?.index ?? text.length;
      const [piece] = read(text.slice(at, end), options);
      if (piece === undefined || !accepts(piece) || found.length > 7) break;
      found.push({ text: piece.text, at: at + piece.at });
      at = end + (match?.[0].length ?? 0);
    }
    return found;
  };
}

/** The same of nouns, each without what is said of it. */
export function nounsInTurn(accepts: (text: string) => boolean): ObjectReader {
  return inTurn(nouns, ({ text }) => accepts(text));
}
