import {
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
  const german = isGerman(words);
  const names: Name[] = [];
  for (let i = 0; i < words.length; ) {
    const run = readRun(text, words, i);
    if (run === 0) {
      i++;
      continue;
    }
    const name = judge(text, words, i, run, known, inside, german);
    if (name !== undefined) names.push(name);
    i += run;
  }
  return names;
}

function readWords(text: string): Word[] {
  let end = 0;
  return Array.from(text.matchAll(wordPattern), (match) => {
    const before = text.slice(end, match.index);
    const first =
      end === 0 ||
      /[.!?…:;\n"“”«»„()[\]*#|•]|^\s*[-–—]\s|\s[-–—]\s/.test(before) ||
      /^\s*$/.test(text.slice(0, match.index));
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
function readRun(text: string, words: readonly Word[], from: number): number {
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

function judge(
  text: string,
  words: readonly Word[],
  from: number,
  run: number,
  known: ReadonlySet<string>,
  inside: ReadonlySet<string>,
  german: boolean,
): Name | undefined {
  let own = words.slice(from, from + run);
  let titled = false;
  while (own.length > 1 && titles.has((own[0]?.text ?? "").toLowerCase().replace(/\.$/, ""))) {
    own = own.slice(1);
    titled = true;
  }
  const first = own[0];
  const last = own.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const end = last.start + bare(last.text).length;
  const written = text.slice(first.start, end);
  const before = words[from - 1];
  const after = words[from + run];
  const lead = contextBefore(text, words, from);
  titled ||=
    before !== undefined &&
    titles.has(before.text.toLowerCase()) &&
    /^\.?\s$/.test(text.slice(before.end, first.start));
  const kind = kindOf(text, own, before, after, end, lead, titled);
  const isKnown = known.has(written.toLowerCase()) || known.has((first.text ?? "").toLowerCase());
  const name = {
    text: written,
    kind: kind === "unknown" && isKnown ? "person" : kind,
    start: first.start,
    end,
  } as const;
  if (isKnown || titled) return name;
  if (german) return own.length > 1 && !first.first ? name : undefined;
  if (!first.first) return written.length > 1 ? name : undefined;
  // From here on the capital may be that of the sentence.
  const alone = own.length === 1;
  if (!alone) return own.slice(1).some(({ capital }) => capital) ? name : undefined;
  if (acronym.test(first.text) || written.length < 2) return undefined;
  return inside.has(bare(first.text)) || kind !== "unknown" ? name : undefined;
}

/** Up to four words before, in lower case, within the sentence. */
function contextBefore(text: string, words: readonly Word[], at: number): string {
  const found: string[] = [];
  for (let i = at - 1; i >= 0 && found.length < 4; i--) {
    const word = words[i];
    const next = words[i + 1];
    if (word === undefined || next === undefined || /[.!?\n]/.test(text.slice(word.end, next.start))) break;
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

const acronym = /^\p{Lu}{2,}$/u;

function kindOf(
  text: string,
  own: readonly Word[],
  before: Word | undefined,
  after: Word | undefined,
  end: number,
  lead: string,
  titled: boolean,
): NameKind {
  const lower = own.map((word) => bare(word.text).toLowerCase());
  const last = lower.at(-1) ?? "";
  if (titled) return "person";
  if (lower.some((word) => organisationWords.has(word)) && own.length > 1) return "organisation";
  if (own.length > 1 && (placeWords.has(last) || placeWords.has(lower[0] ?? ""))) return "place";
  if (knownPlaces.has(last) || knownPlaces.has(lower.join(" "))) return "place";
  if (/^(?:new|san|los|las|saint|st|north|south|east|west|rio|buenos|hong|cape|el) /.test(lower.join(" ")))
    return "place";
  const role = before?.text.toLowerCase() ?? "";
  if (kin.has(role) && own[0]?.first === false) return "person";
  if (own[0]?.first === false && greetings.has(role)) return "person";
  if (workLead.test(lead) && own[0]?.first === false) return "organisation";
  if (personLead.test(lead) && own[0]?.first === false) return "person";
  if (placeLead.test(lead) && own[0]?.first === false && !acronym.test(own[0].text)) return "place";
  const next =
    after !== undefined && /^\s$/.test(text.slice(end, after.start)) ? after.text.toLowerCase() : "";
  if (personVerbs.has(next) && !last.endsWith("s")) return "person";
  const possessed = /^['’]s\s+(\p{L}+)/u.exec(text.slice(end, end + 24))?.[1]?.toLowerCase();
  if (possessed !== undefined && kin.has(possessed)) return "person";
  // "Mel, how are you?", "See you soon, Mel!"
  if (
    own.length === 1 &&
    own[0]?.first === false &&
    /,\s$/.test(text.slice(Math.max(0, (own[0]?.start ?? 0) - 2), own[0]?.start)) &&
    /^[!?]/.test(text.slice(end))
  )
    return "person";
  return "unknown";
}

const germanWords = new Set([
  "und",
  "der",
  "die",
  "das",
  "nicht",
  "ist",
  "ich",
  "ein",
  "eine",
  "mit",
  "auf",
  "wir",
  "für",
]);

function isGerman(words: readonly Word[]): boolean {
  const found = words.filter(({ text }) => germanWords.has(text.toLowerCase())).length;
  return found >= 2 && found * 8 >= words.length;
}
