/** How a sentence corrects what was said before it. */
export interface Correction {
  /** The claims of the sentence replace what was never so. */
  readonly corrects: boolean;
  /** What stands in the place of the object of the last claim: "No wait, Linz." */
  readonly instead?: { readonly text: string; readonly at: number };
}

// "Actually" alone may tell a change as well: then what was before stays in the past.
const cue =
  /^(?:(?:no|nope|oh|oops|sorry|wait|hmm|ah|well|actually)[,.!\s-]+)*(?:correction|i meant(?: to say)?|i mean|my mistake|scratch that|to correct myself|let me correct (?:that|myself)|i misspoke|make that|or rather)\b|^(?:no|nope|oops|sorry|wait)[,!\s-]+(?:(?:no|wait|sorry|actually|i meant|i mean|my name|it['’]s|it is|i['’]m|i am|i live|i work|i have|the|my)\b)/i;
const contrast = /,\s*(?:and\s+)?not\s+(?:in\s+|at\s+|an?\s+|the\s+|as\s+)?[\p{L}\p{N}$€£]/iu;
// "I live in Porto now, not Oslo" tells a change.
const changed =
  /\b(?:now|nowadays|these days|moved|switched|changed|started|since|became|anymore|any more)\b/i;
const instead =
  /^(?:(?:no|nope|oh|oops|sorry|wait|hmm|actually|correction|scratch that|make that|or rather|i meant?|my mistake|it['’]s|it is|that['’]s|in)[,.:!\s-]+)+(?:in |at |to )?((?:the )?[$€£]?[\p{Lu}\d][\p{L}\p{N}$€£%.,'’-]*(?:\s+[\p{Lu}\d][\p{L}\p{N}'’-]*){0,3})[.!]*$/iu;

/** Whether a sentence begins with words of correction, or ends with ", not …". */
export function readCorrection(sentence: string): Correction {
  const corrects = cue.test(sentence) || (contrast.test(sentence) && !changed.test(sentence));
  const match = sentence.length <= 80 && corrects ? instead.exec(sentence) : null;
  const text = match?.[1]?.replace(/[.,!]+$/, "");
  if (
    text === undefined ||
    match === null ||
    !/^[$€£\p{Lu}\d]/u.test(text) ||
    /^(?:I|I['’]m|My|The|It|Yes|No|Not|Thanks?|Ok|That)\b/.test(text)
  )
    return { corrects };
  return { corrects, instead: { text, at: match[0].indexOf(text) } };
}
