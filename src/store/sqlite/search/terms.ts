/** Characters that FTS5's `ascii` tokenizer would not take as they are: it folds capitals, and its own syntax needs quotes. */
const special = /[\p{Cc}A-Z"' ]/gu;

/** ASCII characters of terms besides letters and digits; everything beyond ASCII is taken as it is. */
export const tokenCharacters = "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~";

/** A term as a token of the one full-text table, where no two partitions or spaces share any. */
export function token(partition: number, space: number, term: string): string {
  // Private-use characters stand for what is not taken.
  const plain = term.replace(special, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0)));
  return `${partition.toString(36)}.${space.toString(36)}_${plain}`;
}

/** The text that the full-text table gets for a list of terms, as it is stored beside. */
export function tokens(partition: number, space: number, terms: string): string {
  return terms === ""
    ? ""
    : terms
        .split(" ")
        .map((term) => token(partition, space, term))
        .join(" ");
}
