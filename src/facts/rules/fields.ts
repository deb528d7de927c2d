import { nouns, type Piece } from "./objects.ts";
import { wordSet } from "./words.ts";

/** First words of the fields that one works in. */
export const fields =
  wordSet(`finance marketing sales tech it hr healthcare education advertising insurance logistics retail hospitality
  construction law accounting banking engineering consulting publishing journalism fashion biotech pharma agriculture aviation
  cybersecurity robotics manufacturing teaching medicine academia research nursing design media television film gaming architecture politics real
  software data customer human public social supply product venture graphic web digital investment`);

export function field(text: string): readonly Piece[] {
  return nouns(text)
    .filter((piece) => fields.has(piece.text.split(/\s/)[0]?.toLowerCase() ?? ""))
    .slice(0, 1);
}
