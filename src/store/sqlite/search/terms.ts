/** What FTS5's `ascii` tokenizer does not take as it is, since it folds capitals and its syntax needs quotes; and the escape. */
const special = /[\0- A-Z"'\x7f\ue000]/g;
const mark = "\ue000";

/** A term as a token of the one full-text table, where no two partitions or spaces share any. */
export function token(partition: number, space: number, term: string): string {
  const plain = term.replace(special, (character) => {
    const code = character === mark ? 0 : character.charCodeAt(0);
    return mark + code.toString(16).padStart(2, "0");
  });
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
