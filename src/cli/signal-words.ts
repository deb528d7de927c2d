/** The signals of a recall by name, in words: what something was found by. */
export const signalWords: Readonly<Record<string, string>> = {
  words: "words of the question",
  related: "related words",
  meaning: "similar meaning",
  neighbours: "what was said beside it",
  session: "what its session is about",
  speaker: "who said it",
  date: "when it was said",
  phrase: "the quoted phrase",
  statement: "a statement derived from it",
  rerank: "the reranker",
};
