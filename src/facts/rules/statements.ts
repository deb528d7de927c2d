import { findQuotes } from "../../text/quotes.ts";
import type { Piece } from "../../text/segment.ts";
import { splitSentences } from "../../text/sentences.ts";

/** A part of a text that states something, or asks or orders and may name somebody on the way. */
export interface Statement extends Piece {
  readonly asked?: true;
}

// "What can I get my sister Nadia?" has such a sister.
const named =
  /\b(?:[Mm]y|[Oo]ur)\s+(?:\p{Ll}[\p{L}'’-]*,?\s+\(?){1,4}\p{Lu}\p{L}|\p{Lu}\p{L}+, (?:my|our)\s/u;
const unowned =
  /\b(?:story|character|imagine|pretend|suppose|if|role|scene|novel|script|poem|fiction|said|says|dialogue|sentence|translate|correct|grammar|game|lyrics)\b/i;

/** Longer than anybody says in one breath: tables, logs, what has no stops. */
const longestSentence = 600;

/**
 * The sentences of a text that may state something about the world of their speaker, with what is code or somebody else's
 * words blanked (`¦`, so that offsets stay). Questions, orders, quoted lines and lines of code go.
 */
export function findStatements(text: string): readonly Statement[] {
  const found: Statement[] = [];
  const ask = (from: number, to: number, { text: sentence, start }: Piece): void => {
    const part = sentence.slice(from, to);
    if (to > from && named.test(part) && !unowned.test(part))
      found.push({ text: part, start: start + from, asked: true });
  };
  for (const sentence of splitSentences(blank(text))) {
    if (sentence.text.length > longestSentence || codeLike.test(sentence.text)) continue;
    // What follows "Translate this:" is material, not a statement.
    if (handedOver.test(sentence.text)) break;
    const stated = statedPart(sentence.text);
    if (stated !== "") {
      if (/\p{L}/u.test(stated)) found.push({ text: stated, start: sentence.start });
      ask(stated.length, sentence.text.length, sentence);
      continue;
    }
    const at = besideOrder(sentence.text);
    ask(0, at ?? sentence.text.length, sentence);
    if (at !== undefined) found.push({ text: sentence.text.slice(at), start: sentence.start + at });
  }
  return found;
}

const codeLike =
  /[{}<>=[\]\\|~^]|\(\)|^\s*>|^\s*(?:\/\/|#!|import |const |let |var |def |function |class |SELECT )|¦[^¦]+¦+[^¦]+¦/u;
const verb =
  "write|rewrite|translate|summari[sz]e|proofread|correct|fix|edit|improve|complete|continue|review|check|analy[sz]e|explain|paraphrase|format|convert|rate|read";
const handedOver = new RegExp(
  String.raw`^(?:please\s+|can you\s+|could you\s+|help me\s+)*(?:${verb})\b[^.?!]*:$|\b(?:here(?:'s| is| are) (?:the|my|a|an) (?:\p{L}+ )?(?:text|essay|email|letter|draft|story|code|article|paragraph|transcript|poem|script|lyrics|dialogue|chapter|excerpt)|the following (?:text|email|essay|story|paragraph|sentence|conversation))\b[^.?!]*:$`,
  "iu",
);

function blank(text: string): string {
  let result = text.includes("`")
    ? text.replace(/```[\s\S]*?(?:```|$)/g, hide).replace(/`[^`\n]{1,200}`/g, hide)
    : text;
  // "Stop giving me jest.fn()".
  if (result.includes("()")) result = result.replace(/[\w.]{1,60}\(\)/g, hide);
  if (/https?:/.test(result)) result = result.replace(/https?:\/\/\S+/g, hide);
  // "His exact words were: I never owned one".
  if (/words/i.test(result)) result = result.replace(/(?<=\bwords (?:were|are):)[^.!?\n]{1,400}/gi, hide);
  const said = findQuotes(result).filter((quote) => !isTitle(quote.text));
  if (said.length === 0) return result;
  const parts: string[] = [];
  let at = 0;
  for (const { text: quote, start } of said) {
    parts.push(result.slice(at, start), hide(quote));
    at = start + quote.length;
  }
  parts.push(result.slice(at));
  return parts.join("");
}

function hide(text: string): string {
  return text.replace(/[^\n]/gu, (unit) => "¦".repeat(unit.length));
}

/** A quotation that names something: "Pride and Prejudice". */
function isTitle(quote: string): boolean {
  return (
    quote.length <= 60 &&
    /^[\p{Lu}\d]/u.test(quote) &&
    !/[.!?,]$|\b(?:I|I['’]m|my|we|you|is|are|am)\b/.test(quote)
  );
}

const asked =
  /^(?:(?:and|so|but|hmm|ok|okay|well|also|hey|hi|oh|wow|then|now|btw|anyway)[,\s]+)*(?:(?:what|who|whom|whose|which|where|why|how)(?:['’]s|['’]re|\s+(?!(?:I|we|my)\s+(?:love|like|need|want)\b)\S)|when\s+(?:is|are|do|does|did|will|can|should|would|was|were)\b|(?:do|does|did|are|is|am|was|were|can|could|would|will|should|shall|may|might|have|has|had)(?:n['’]t)?\s+(?:i|you|we|they|he|she|it|there|this|that|these|those|my|your|his|her|their|our|the|a|an|any|anyone|\p{Lu})|any\s+(?:tips|advice|ideas|suggestions|thoughts|recommendations)|(?:isn|aren|don|doesn|didn|won|wouldn|couldn|shouldn)['’]t\s|can['’]t\s+(?!stand|eat|drink|have|do)|not sure (?:if|what|how|whether)|wondering\b|wanna\s+know|mind if\b)/iu;

const ordered =
  /^(?:(?:please|pls|just|now|then|so|and|ok|okay|hey|hi|kindly)[,\s]+)*(?:write|translate|imagine|suppose|pretend|act|say|tell|give|make|create|generate|explain|describe|summari[sz]e|show|list|draft|compose|rewrite|correct|fix|proofread|convert|find|assume|consider|remind|let['’]?s|let|complete|continue|role-?play|design|suggest|recommend|provide|compare|calculate|solve|search|look up|include|ensure|add|use|always|don['’]t|do not|respond|reply|answer|ask|help|think of|picture|be|what if|as if|if|unless|whether|wish|once upon|for example|e\.g\.)\b/i;

// "Oh sure, I just love waiting."
const ironic =
  /^(?:oh,? (?:sure|great|joy|wonderful|fantastic|yay)|yeah,? (?:right|sure)|sure, because|great, just what)\b|\b(?:just |only |i['’]m )?kidding[.!)]*$|\bjk[.!)]*$|\/s[.!]*$/i;

// "…, my kid always says".
const saidBefore =
  /,\s+(?:says|said) (?:my|his|her|the|a)\b[^,]{0,30}$|,\s+(?:as\s+)?(?:my|his|her|the|a|he|she|they|people|\p{Lu}\p{L}+)\b[^,]{0,30}\b(?:says?|said|told me|claims?|claimed|thinks?|reckons)[.!]*$/u;
const fiction =
  /^(?:in|for|at the end of) (?:the|this|that|my|a|his|her) (?:\p{L}+ )?(?:movie|film|story|book|novel|game|show|series|episode|dream|play|scene|chapter|fantasy|comic|anime|fairy ?tale|character|script|screenplay|exercise)\b(?! club)/iu;

// "As a joke, I bought a boat", "the dog is called Max in the story".
const inFiction =
  /^as an? (?:joke|test|prank|example|dare|experiment|hypothetical|thought experiment)\b|\bin (?:the|my|this|that|a|his|her|our) (?:movie|film|story|book|novel|game|series|dream|play|script|screenplay|comic|fairy ?tale)[.!]*$/i;

/** What of a sentence is stated rather than asked or ordered. */
function statedPart(sentence: string): string {
  const question = /[?？]["'”’)\]\s]*$/.test(sentence);
  if (
    fiction.test(sentence) ||
    inFiction.test(sentence) ||
    ironic.test(sentence) ||
    saidBefore.test(sentence) ||
    ((asked.test(sentence) || ordered.test(sentence)) && !keeping.test(sentence))
  )
    return "";
  const at = questionAt(sentence, question);
  if (at !== undefined) return sentence.slice(0, at);
  return question && !keeping.test(sentence) ? "" : sentence;
}

const written =
  /\b(?:write|rewrite|imagine|suppose|pretend|act|say|said|saying|says|translate|create|generate|draft|compose|story|character|scene|role|poem|song|speech|letter|sentence|correct to|if|unless|whether|assume|let['’]?s)\b/i;
const handed = /:|\b(?:correct|fix|proofread|rephrase|paraphrase|check|improve|read) (?:this|the|these)\b/i;
const besides =
  /(?:[,;]|\s[-–—]|—)\s+(?:(?:as|since|because|cause|cos|bc|but|and|btw)\s+)?(?=(?:I(?:['’](?:m|ve)| am| have| don['’]t| can['’]t| work| live| want to| hate| love| only| eat| drink| speak| use| play| drive| never| usually| already)|i(?:['’]?m| am| have| dont| work| live| want to| use| drive)|we(?:['’](?:re|ve)| are| have| live| don['’]t)|my (?:\p{L}+ )?(?:son|daughter|wife|husband|partner|boyfriend|girlfriend|mum|mom|dad|mother|father|sister|brother|kid|kids|dog|cat|flatmate|roommate) (?:is|are|has|have|hates|loves|can['’]t|doesn['’]t|won['’]t))\b)/u;

/** Where a statement begins that stands beside a question or an order: "suggest a starter, I'm allergic to nuts". */
function besideOrder(sentence: string): number | undefined {
  if (
    fiction.test(sentence) ||
    inFiction.test(sentence) ||
    ironic.test(sentence) ||
    saidBefore.test(sentence)
  )
    return undefined;
  const match = besides.exec(sentence);
  const at = match === null ? 0 : match.index + match[0].length;
  // "Correct this: …" hands over what follows.
  if (handed.test(sentence.slice(0, at))) return undefined;
  return at === 0 || written.test(sentence.slice(0, at)) || turn.test(sentence.slice(at)) ? undefined : at;
}

// "Always I …" is a statement, and an order to remember one has one.
const keeping =
  /^(?:always\s+i\b|(?:(?:please|kindly|ok|okay|also|and|hey)[,\s]+)*(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:remember|note|keep in mind|save|make a note)\b(?! (?:when|how|what|if|whether|why|where|who)\b))/i;

// In the middle of a sentence, only where nothing but a question can begin.
const turn =
  /(?:,|;|:|\s[-–—]|—|\.\.\.|…|¦)\s*(?:(?:and|so|but|then|also)\s+)?(?=(?:can|could|would|will|do|does|did|should|is|are|have|any|what|which|how|why|where|who|when|isn['’]t|right|or|don['’]t|am|was)\b)/giu;
const joined =
  /\s(?:and|so|but)\s+(?=(?:can|could|would|do|does|did|will|should)\s+(?:you|i|we)\b|(?:what|how|which|where|why)\s+(?:are|is|do|does|can|should|would|did)\b)/giu;

function questionAt(sentence: string, question: boolean): number | undefined {
  for (const pattern of [turn, joined]) {
    for (const match of sentence.matchAll(pattern)) {
      const rest = sentence.slice(match.index + match[0].length);
      if (
        question ? asked.test(rest) || /^(?:right|or|any|what|how|which)\b/i.test(rest) : strongly.test(rest)
      ) {
        if (question && /^right\b/i.test(rest)) return 0;
        return match.index;
      }
    }
  }
  return undefined;
}

const strongly =
  /^(?:(?:can|could|would|will|do|does|did|should)\s+(?:you|i|we|it|they|this|that)\b|(?:what|how|why)(?:['’]s)?\s+(?:are|is|do|does|did|can|could|should|would|will|kind|much|many|some|to)\b|(?:which|where|who|when)(?:['’]s)?\s+(?:do|does|did|can|could|should|kind|to)\b|(?:is|are)\s+(?:it|there|this|that|these|they)\b|any\s+(?:tips|advice|ideas|suggestions|thoughts|recommendations)\b)/i;
