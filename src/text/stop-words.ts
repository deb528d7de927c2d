/**
 * English words that say how other words relate and nothing of what is talked about: articles, pronouns, prepositions,
 * conjunctions, auxiliaries and their short forms. From the Snowball project's English stop list (BSD licence), with the
 * contractions that the tokeniser leaves ("don't" is dont, "we'll" is we) and those that people write without an apostrophe.
 */
export const englishStopWords: ReadonlySet<string> = new Set(
  `i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
  its itself they them their theirs themselves what which who whom whose this that these those am is are was were be been
  being have has had having do does did doing done would should could ought will shall can may might must a an the and but
  if or because as until while of at by for with about against between into through during before after above below to
  from up down in out on off over under again further then once here there when where why how all any both each few more
  most other some such no nor not only own same so than too very just also
  im ive youre youve theyre theyve weve hes shes thats whats isnt arent wasnt werent hasnt havent hadnt doesnt dont didnt
  wont wouldnt shant shouldnt cant cannot couldnt mustnt lets gonna wanna gotta`.split(/\s+/),
);
