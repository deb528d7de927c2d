import {
  germanWords,
  greetings,
  kin,
  knownPlaces,
  notNames,
  organisationWords,
  personVerbs,
  placeWords,
  titles,
} from "./name-words.ts";

export type NameKind = "person" | "place" | "organisation" | "unknown";

/** A name of somebody or something in a text. */
export interface Name {
  /** As written, without title or possessive ending. */
  readonly text: string;
  readonly kind: NameKind;
  /** UTF-16 offsets, half-open. */
  readonly start: number;
  readonly end: number;
}

export interface NameOptions {
  /** Names that are known already, such as the speakers: found wherever they stand capitalised. */
  readonly known?: Iterable<string>;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly capital: boolean;
  /** Nothing says that a capital here means a name: the beginning of a sentence, a line or a quotation. */
  readonly first: boolean;
}

const wordPattern = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’.&-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const connectors = /^(?:of|the|de|da|di|del|della|van|von|der|den|la|le|bin|ibn|al|y|e|&)$/;

/**
 * Finds names by capitals and by the words around them. Made for English and usable for other languages with two cases, apart
 * from German, where every noun has a capital and only names of several words or after a title are taken. Languages without
 * case have none. One capitalised word at the beginning of a sentence is a name only if something else says so.
 */
export function findNames(text: string, options: NameOptions = {}): Name[] {
  if (!/\p{Lu}/u.test(text)) return [];
  const words = readWords(text);
  const capitals = words.filter(({ capital }) => capital).length;
  // Shouting and headings capitalise what is no name.
  if (words.length > 5 && capitals > words.length * 0.8) return [];
  const known = new Set(Array.from(options.known ?? [], (name) => name.toLowerCase()));
  const inside = new Set(words.filter((word) => word.capital && !word.first).map((word) => bare(word.text)));
  const reading = { text, words, known, inside, german: isGerman(words) };
  const names: Name[] = [];
  for (let i = 0; i < words.length; ) {
    const length = runLength(reading, i);
    const name = length === 0 ? undefined : readName(reading, i, length);
    if (name !== undefined) names.push(name);
    i += Math.max(1, length);
  }
  return names;
}

/** What is known of the whole text. */
interface Reading {
  readonly text: string;
  readonly words: readonly Word[];
  /** Names given by the caller, in lower case. */
  readonly known: ReadonlySet<string>;
  /** Words that have a capital inside a sentence somewhere, so that one at its beginning means a name too. */
  readonly inside: ReadonlySet<string>;
  readonly german: boolean;
}

function readWords(text: string): Word[] {
  let end = 0;
  return Array.from(text.matchAll(wordPattern), (match) => {
    const before = text.slice(end, match.index);
    const first = end === 0 || /[.!?…。！？：:;\n"“”«»„「」()[\]*#|•]|^\s*[-–—]\s|\s[-–—]\s/.test(before);
    end = match.index + match[0].length;
    const written = match[0];
    return { text: written, start: match.index, end, capital: /^\p{Lu}/u.test(written), first };
  });
}

function bare(word: string): string {
  return word.replace(/['’]s$/i, "");
}

function isExcluded(word: Word): boolean {
  const written = word.text.toLowerCase().replaceAll("’", "'");
  return /'(?:ve|re|ll|d|m|t)$/.test(written) || notNames.has(written) || notNames.has(bare(written));
}

/** How many words from here may make up one name: capitals side by side, with "of", "de", "van" between them. */
function runLength({ text, words }: Reading, from: number): number {
  const start = words[from];
  if (start === undefined || !start.capital || isExcluded(start)) return 0;
  let last = from;
  for (let i = from + 1; i < words.length && i < from + 8; i++) {
    const word = words[i];
    const previous = words[i - 1];
    if (word === undefined || previous === undefined || /['’]s$/i.test(previous.text)) break;
    const gap = text.slice(previous.end, word.start);
    // "J. K. Rowling": a stop after an initial joins.
    if (gap !== " " && !(gap === ". " && /^(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|Mt|Jr|Prof)$/u.test(previous.text)))
      break;
    if (word.capital) {
      if (isExcluded(word) && !/^(?:the|of)$/i.test(word.text)) break;
      last = i;
    } else if (!connectors.test(word.text) || (word.text === "the" && !/^of$/.test(previous.text))) break;
  }
  return last - from + 1;
}

/** The name that a run of words is, or undefined if its capitals mean something else. */
function readName(reading: Reading, from: number, length: number): Name | undefined {
  const { text, words } = reading;
  let skipped = 0;
  while (skipped < length - 1 && titles.has(words[from + skipped]?.text.toLowerCase() ?? "")) skipped++;
  const own = words.slice(from + skipped, from + length);
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { start } = first;
  const end = last.start + bare(last.text).length;
  const written = text.slice(start, end);
  const before = words[from - 1];
  const titled =
    skipped > 0 ||
    (before !== undefined &&
      titles.has(before.text.toLowerCase()) &&
      /^\.?\s$/.test(text.slice(before.end, start)));
  const kind = titled ? "person" : kindOf(reading, from, own, end);
  if (titled) return { text: written, kind, start, end };
  if (reading.known.has(written.toLowerCase()) || reading.known.has(first.text.toLowerCase())) {
    return { text: written, kind: kind === "unknown" ? "person" : kind, start, end };
  }
  return isName(reading, own, written, kind) ? { text: written, kind, start, end } : undefined;
}

function isName({ inside, german }: Reading, own: readonly Word[], written: string, kind: NameKind): boolean {
  const [first, ...others] = own;
  if (first === undefined) return false;
  if (german) return others.length > 0 && !first.first;
  if (!first.first) return written.length > 1;
  // From here on the capital may be that of the sentence.
  if (others.length > 0) return others.some(({ capital }) => capital);
  if (acronym.test(first.text) || written.length < 2) return false;
  return inside.has(bare(first.text)) || kind !== "unknown";
}

/** Up to four words before, in lower case, within the sentence. */
function contextBefore(text: string, words: readonly Word[], at: number): string {
  const found: string[] = [];
  for (let i = at - 1; i >= 0 && found.length < 4; i--) {
    const word = words[i];
    const next = words[i + 1];
    if (word === undefined || next === undefined || /[.!?。！？\n]/.test(text.slice(word.end, next.start)))
      break;
    found.unshift(word.text.toLowerCase());
  }
  return found.join(" ");
}

const placeLead =
  /\b(?:(?:live|lives|lived|living|born|based|grew up|raised|located|stay|stayed|staying|vacation|holiday|summer|winter|weekend|trip) in|(?:went|go|goes|going|move|moved|moving|travel|traveled|travelled|traveling|travelling|flew|fly|flying|drove|drive|driving|trip|flight|vacation|back|headed|heading|relocated) to|visit|visits|visited|visiting|near|across|throughout)(?: the)?$/;
const workLead =
  /\b(?:work|works|worked|working|job|intern|interned|internship|position|employed|started|interview|interviewed|engineer|manager|ceo|founder) (?:at|for|with|of)(?: the)?$|\b(?:join|joined|joining|hired by) (?:the )?$/;
const personLead =
  /\b(?:named|called|name is|name's|i'm|i am|this is|talk(?:ed|ing)? to|talk(?:ed|ing)? with|met|with my|married)$/;

const placeBeginning = /^(?:new|san|los|las|saint|st|north|south|east|west|rio|buenos|hong|cape|el) /;
const acronym = /^\p{Lu}{2,}$/u;

function kindOf({ text, words }: Reading, from: number, own: readonly Word[], end: number): NameKind {
  const parts = own.map((word) => bare(word.text).toLowerCase());
  const whole = parts.join(" ");
  const [head = ""] = parts;
  const last = parts.at(-1) ?? "";
  const several = parts.length > 1;
  if (several && parts.some((part) => organisationWords.has(part))) return "organisation";
  if (several && (placeWords.has(last) || placeWords.has(head))) return "place";
  if (knownPlaces.has(last) || knownPlaces.has(whole) || placeBeginning.test(whole)) return "place";
  const [first] = own;
  if (first?.first === false) {
    const role = words[from - 1]?.text.toLowerCase() ?? "";
    if (kin.has(role) || greetings.has(role)) return "person";
    const lead = contextBefore(text, words, from);
    if (workLead.test(lead)) return "organisation";
    if (personLead.test(lead)) return "person";
    if (placeLead.test(lead) && !acronym.test(first.text)) return "place";
    // "Mel, how are you?", "See you soon, Mel!"
    const called = /,\s$/.test(text.slice(Math.max(0, first.start - 2), first.start));
    if (!several && called && /^[!?]/.test(text.charAt(end))) return "person";
  }
  const after = words[from + own.length];
  const next = after !== undefined && /^\s$/.test(text.slice(end, after.start)) ? after.text : "";
  if (personVerbs.has(next.toLowerCase()) && !last.endsWith("s")) return "person";
  const possessed = /^['’]s\s+(\p{L}+)/u.exec(text.slice(end, end + 24))?.[1] ?? "";
  return kin.has(possessed.toLowerCase()) ? "person" : "unknown";
}

function isGerman(words: readonly Word[]): boolean {
  const found = words.filter(({ text }) => germanWords.has(text.toLowerCase())).length;
  return found >= 2 && found * 8 >= words.length;
}
