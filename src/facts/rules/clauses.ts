import { elided, type Found, noted, type Scan, within } from "./elisions.ts";
import { isOwnIllness } from "./having.ts";
import { relationOf, spokenOf } from "./kin.ts";
import { be, readOpening } from "./openings.ts";
import {
  type Mention,
  readSubject,
  type Subject,
  type SubjectReading,
  user,
  withoutIntroduction,
} from "./subject.ts";
import { readVerbPhrase, type VerbPhrase } from "./verb-phrase.ts";
import { type Word, wordSet } from "./words.ts";

/** A subject with what a verb says of it, and the words after the verb. Offsets are those of the sentence. */
export interface Clause {
  readonly subjects: readonly Subject[];
  readonly phrase: VerbPhrase;
  /** From the words before the subject that belong to it ("last week I …") to its end. */
  readonly start: number;
  readonly subjectAt: number;
  readonly restAt: number;
  readonly end: number;
  /** What stands after the verb. */
  readonly rest: string;
  /** What stands before the subject and belongs to the clause. */
  readonly lead: string;
  readonly confidence: number;
}

const joints = wordSet(
  "and but so because since as although though while then or plus yet before after that who which",
);
// What follows these need not be so.
const unreal =
  wordSet(`if unless whether suppose supposing imagine imagining pretend pretending assuming assume wish wishing
  hypothetically lets maybe perhaps unsure doubt`);
// What follows these is somebody else's word, a thought or a dream.
const reports =
  wordSet(`said says say saying told tell tells telling asked asks ask claims claimed claim claiming thinks thought
  believes believed heard hear hears dreamed dreamt dream wonder wonders wondered wondering joked joking jokes suggested
  suggests suggest recommends recommended promised insists insisted assumed assumes imagined convinced feels seems seemed
  wrote writes quoted argued argues read reads mentions guessed suspects expects expected according rumor rumour gossip`);
// What these say of somebody is so.
const doctors =
  /^(?:doctor|doc|gp|dentist|vet|physio|specialist|consultant|cardiologist|dermatologist|paediatrician|pediatrician)$/;

function byDoctor(words: readonly Word[], verb: number): boolean {
  return /^(?:says?|said)$/.test(words[verb]?.lower ?? "") && doctors.test(words[verb - 1]?.lower ?? "");
}

const hedges = wordSet("think guess believe suppose reckon figure");
const doubts = wordSet("how why what whether");

/**
 * Finds the clauses of a sentence that state something. What follows "if", "she said" or "I wonder" states nothing; what follows
 * "I think" is less sure. When nobody else is spoken of (`alone`), a sentence may leave out that it is said of its speaker.
 */
export function readClauses(
  sentence: string,
  words: readonly Word[],
  known: (pronoun: string) => Subject | undefined,
  introduce: (subject: Subject) => void,
  alone: boolean,
): { readonly clauses: readonly Clause[]; readonly mentions: readonly Mention[] } {
  const scan: Scan = { words, found: [], mentions: [], blocked: undefined, confidence: 1, alone };
  const opening = alone ? readOpening(words) : undefined;
  if (opening !== undefined) scan.found.push({ subjects: [user], ...opening, confidence: 1, real: true });
  for (let at = opening?.phrase.next ?? 0; at < words.length; ) at = step(scan, at, known, introduce);
  const clauses = scan.found.flatMap((found, i) =>
    found.real ? [cut(sentence, words, found, scan.found[i + 1], scan.found[i - 1])] : [],
  );
  return { clauses, mentions: scan.mentions };
}

function step(
  scan: Scan,
  at: number,
  known: (pronoun: string) => Subject | undefined,
  introduce: (subject: Subject) => void,
): number {
  const { words, found } = scan;
  const word = words[at];
  if (word === undefined) return at + 1;
  const turned =
    word.lower === "but" &&
    (/,/.test(word.gap) || /^(?:actually|i|my|now|really)$/.test(words[at + 1]?.lower ?? ""));
  if (at > 0 && (turned || /[;:—]|\s[-–]\s/.test(word.gap))) {
    scan.blocked = undefined;
    scan.confidence = 1;
  }
  // "She said it was cheap, so I bought it".
  if (scan.blocked === "report" && word.lower === "so" && /^(?:i|we|my)$/.test(words[at + 1]?.lower ?? ""))
    scan.blocked = undefined;
  const unsure = word.lower === "sure" && /^(?:not|n't)$/.test(words[at - 1]?.lower ?? "");
  if (unreal.has(word.lower) || unsure) {
    const stated = polite(words, at) || scan.blocked !== undefined ? undefined : found.at(-1);
    // "I'm planning to apply if my grades hold up" is a plan still.
    if (stated !== undefined && !/[,;:—]/.test(word.gap) && !/^(?:plan|hope)$/.test(stated.phrase.lemma))
      stated.real = false;
    scan.blocked = "unreal";
    return at + 1;
  }
  if (scan.blocked !== undefined) return at + 1;
  const boundary = isBoundary(words, at);
  if (word.lower === "who" || (word.lower === "born" && /,/.test(word.gap))) {
    const next = relative(scan, at);
    if (next !== undefined) return next;
  }
  const begins = mayBegin(words, at, boundary);
  const owned = word.lower === "my" || word.lower === "our";
  const theirs = /^(?:his|her)$/.test(word.lower);
  const read = begins || owned || theirs ? readSubject(words, at, known) : undefined;
  // "I call my mother and we talk": who is called does nothing.
  const reading =
    owned && !boundary && read !== undefined && read.subjects.length > 1 && read.subjects[1]?.kind === "user"
      ? { ...read, subjects: read.subjects.slice(0, 1), next: read.next - 2 }
      : read;
  const [only] = reading?.subjects ?? [];
  if (reading !== undefined && only !== undefined && reading.subjects.length === 1)
    scan.last = { subject: only, start: word.start, end: words[reading.next - 1]?.end ?? word.end };
  // "He isn't my brother" speaks of nobody else.
  const last = found.at(-1)?.phrase;
  const said = last?.lemma === "be" && last.next === at && only?.known?.name === undefined;
  for (const subject of said ? [] : (reading?.subjects ?? []))
    mention(scan, subject, at, reading?.next ?? at, introduce);
  if (reading !== undefined && begins) {
    const next = statement(scan, at, reading);
    // A word with a capital is somebody once something is said of it.
    if (next !== undefined)
      for (const subject of reading.subjects) if (subject.kind === "name") introduce(subject);
    if (next !== undefined) return next;
  }
  const late = boundary ? noted(scan, at) : undefined;
  if (late !== undefined) return late;
  const further = boundary ? elided(scan, at) : within(scan, at);
  if (further !== undefined) return further;
  if (reports.has(word.lower) && !byDoctor(words, at)) scan.blocked = "report";
  return at + 1;
}

const inverted = /^(?:can|could|do|does|did|should|would|will|shall|may|am|are|is|was|were)$/;

/** "If you need it" after what is so anyway. */
function polite(words: readonly Word[], at: number): boolean {
  return (
    /^(?:you|that|it|anyone)$/.test(words[at + 1]?.lower ?? "") &&
    /^(?:need|want|wonder|wondering|believe|care|must|like|helps?|matters?|'re|are|were|asks|have)$/.test(
      words[at + 2]?.lower ?? "",
    )
  );
}

/** Whether a clause may begin here: "I" anywhere, a name only where nothing else can go on. */
function mayBegin(words: readonly Word[], at: number, boundary: boolean): boolean {
  const word = words[at];
  if (word === undefined || doubts.has(words[at - 1]?.lower ?? "")) return false;
  // "Can Jeffrey and I", "where do I".
  if (inverted.test(words[at - 1]?.lower ?? "") && word.gap === " ") return false;
  if (
    words[at - 1]?.lower === "and" &&
    word.gap === " " &&
    /^(?:can|could|do|does|did|should|would|will|shall|may)$/.test(words[at - 3]?.lower ?? "") &&
    words[at - 2]?.gap === " "
  )
    return false;
  if (word.lower === "i") return word.text === "I" || word.text === "i";
  // "She does the shopping she is a pharmacist": nobody put a stop.
  if (
    /^(?:he|she)$/.test(word.lower) &&
    /^(?:is|'s|has|was)$/.test(words[at + 1]?.lower ?? "") &&
    word.gap === " "
  )
    return (
      !/^(?:that|than|who|whom|which|where|when|what|how|why|if|whether|as|because|the|a|and|or)$/.test(
        words[at - 1]?.lower ?? "",
      ) || boundary
    );
  if (word.lower === "we" || word.lower === "my")
    return boundary || !/^(?:of|to|in|on|at|for|with|from|by|about|and)$/.test(words[at - 1]?.lower ?? "");
  return boundary;
}

function isBoundary(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  if (at === 0 || word === undefined || before === undefined) return true;
  return /[,;:—()…!?]|\s[-–]\s/.test(word.gap) || joints.has(before.lower) || openers.has(before.lower);
}

const openers = wordSet(
  "hi hey hello well oh yes yeah no ok okay actually now anyway also btw today yesterday currently fyi recently",
);

/** A subject with its verb; undefined when no verb follows. */
function statement(scan: Scan, at: number, reading: SubjectReading): number | undefined {
  const { words, found } = scan;
  const [first] = reading.subjects;
  if (first === undefined) return undefined;
  const own = words[at]?.lower ?? "";
  const firstPerson = own === "i" || own === "we" || reading.subjects.length > 1;
  const singular = !firstPerson && first.kind !== "several";
  // "She isn't my wife, she's my boss" speaks of one who was named before.
  const last = found.at(-1)?.phrase;
  const echoed = last?.lemma === "be" && last.next === at ? 0 : echo(words, reading, own);
  const after = pastAside(words, reading.next + echoed, first);
  const phrase = readVerbPhrase(
    words,
    after ?? reading.next + echoed,
    singular,
    after !== undefined || reading.beside,
  );
  // "I would …" states nothing; nor does what follows the verb after it.
  if (phrase === undefined)
    return firstPerson && /^(?:would|'d|should|could|might|may|must)$/.test(words[reading.next]?.lower ?? "")
      ? reading.next + 1
      : undefined;
  const verb = words[phrase.at]?.lower ?? "";
  if (own === "i" && hedges.has(verb) && phrase.mode === "holds" && !phrase.negated) {
    scan.confidence = 0.5;
    return phrase.next;
  }
  if (
    unreal.has(verb) ||
    reports.has(own) ||
    (reports.has(verb) && verb !== "read" && verb !== "dream" && !byDoctor(words, phrase.at)) ||
    (verb === "know" && phrase.negated) ||
    hedges.has(verb)
  ) {
    scan.blocked = unreal.has(verb) ? "unreal" : "report";
    return phrase.next;
  }
  found.push({
    subjects: reading.subjects,
    phrase,
    at,
    confidence: scan.confidence * phrase.confidence,
    real: true,
  });
  return phrase.next;
}

/** "My brother, a chef, hates olives", "my cousin Ada (the one in Lagos) is here": the word after what stands between. */
function pastAside(words: readonly Word[], at: number, { kind }: Subject): number | undefined {
  const { gap = "", lower = "" } = words[at] ?? {};
  const within = gap === " (";
  if (!/^(?:person|pet)$/.test(kind) || !(within || (gap === ", " && /^(?:an?|the)$/.test(lower))))
    return undefined;
  const end = words.findIndex(
    (word, i) => i > at && i <= at + 8 && (within ? /^\)/ : /^[,;]/).test(word.gap),
  );
  return end < 0 || words[end]?.gap !== (within ? ") " : ", ") ? undefined : end;
}

/** "My grandson, he lives in Lyon": how many words say once more of whom is spoken. */
function echo(words: readonly Word[], { subjects, next }: SubjectReading, own: string): 0 | 1 {
  const word = words[next];
  const known =
    /^(?:person|pet|several)$/.test(subjects[0]?.kind ?? "") ||
    // "Dee, she's a lollipop lady".
    (subjects.length === 1 && subjects[0]?.kind === "name" && next === 1 && word?.gap === ", ") ||
    subjects.some(({ kind }, i) => i > 0 && kind === "user");
  const plural = subjects.length > 1 || subjects[0]?.kind === "several";
  return known &&
    word !== undefined &&
    !/^(?:he|she|they|it)$/.test(own) &&
    (plural ? /^(?:we|they)$/ : /^(?:he|she)$/).test(word.lower) &&
    /^,? $/.test(word.gap) &&
    words[next + 1]?.gap.startsWith(",") !== true
    ? 1
    : 0;
}

function mention(
  scan: Scan,
  subject: Subject,
  at: number,
  next: number,
  introduce: (subject: Subject) => void,
): void {
  if (subject.kind === "user") return;
  // A word with which a sentence begins has a capital anyway.
  if (subject.kind !== "name" || at > 0) introduce(subject);
  if (subject.known === undefined && !isOwnIllness(subject)) return;
  const start = scan.words[at]?.start ?? 0;
  scan.mentions.push({ subject, start, end: scan.words[next - 1]?.end ?? start });
}

/** "My friend Kevin, who is 40", "our son Jakob, born in May": what is said of somebody who was named just before. */
function relative(scan: Scan, at: number): number | undefined {
  const { words, found, last } = scan;
  const named =
    last !== undefined && last.end === words[at - 1]?.end && /^(?:person|name)$/.test(last.subject.kind)
      ? withoutIntroduction(last.subject)
      : undefined;
  const subject = named ?? (words[at]?.lower === "who" ? relativeHad(scan, at - 1) : undefined);
  if (subject === undefined) return undefined;
  const phrase =
    words[at]?.lower === "born" ? be(at, false, "was").phrase : readVerbPhrase(words, at + 1, true);
  if (phrase === undefined || reports.has(words[phrase.at]?.lower ?? "")) return undefined;
  // "My parents, Ashley and Richard, who are 83 and 79".
  if (words[at]?.lower === "who" && /^(?:are|were|have|'re|'ve)$/.test(words[at + 1]?.lower ?? ""))
    return undefined;
  found.push({
    subjects: [subject],
    phrase,
    at,
    confidence: scan.confidence * phrase.confidence,
    real: true,
  });
  return Math.max(phrase.next, at + 1);
}

/** "I have an older brother who lives in Sydney": one's brother. */
function relativeHad({ words, found }: Scan, at: number): Subject | undefined {
  const last = found.at(-1);
  const relation = relationOf(words[at]?.lower ?? "");
  if (relation === undefined || relation.plural === true || /^(?:friend|colleague)$/.test(relation.noun))
    return undefined;
  if (last?.phrase.lemma !== "have" || last.phrase.mode !== "holds" || last.phrase.negated) return undefined;
  const plain = words.slice(last.phrase.next, at).map(({ lower }) => lower);
  if (last.subjects[0]?.kind !== "user" || !/^an?$/.test(plain[0] ?? "") || plain.length > 3)
    return undefined;
  const text = `${user.text}'s ${spokenOf(relation.noun)}`;
  return { text, kind: "person", ...(relation.gender === undefined ? {} : { gender: relation.gender }) };
}

function cut(
  sentence: string,
  words: readonly Word[],
  found: Found,
  next: Found | undefined,
  previous: Found | undefined,
): Clause {
  const until =
    found.until === undefined ? sentence.length : (words[found.until - 1]?.end ?? sentence.length);
  const end = Math.min(
    until,
    next === undefined ? sentence.length : joint(words, next.at, found.phrase.next),
  );
  const start = previous === undefined ? 0 : joint(words, found.at, previous.phrase.next);
  const { next: after, at: verb } = found.phrase;
  // Of a verb that is left out, what follows is a word of its own; all that follows a verb has a space before it.
  const restAt =
    after === verb ? Math.max((words[after]?.start ?? 0) - 1, 0) : (words[after - 1]?.end ?? sentence.length);
  const rest = `${after === verb && words[after]?.start === 0 ? " " : ""}${sentence.slice(restAt, Math.max(end, restAt))}`;
  return {
    subjects: found.subjects,
    phrase: noMore.test(rest) ? ceased(found.phrase) : found.phrase,
    start,
    subjectAt: words[found.at]?.start ?? 0,
    restAt,
    end: Math.max(end, restAt),
    rest,
    lead: sentence.slice(start, words[found.at]?.start ?? start),
    confidence: found.confidence,
  };
}

const noMore = /\b(?:any ?more|any longer)\b/i;

/** "Don't … any more" is "no longer". */
function ceased(phrase: VerbPhrase): VerbPhrase {
  return phrase.negated && phrase.mode === "holds" ? { ...phrase, negated: false, mode: "ended" } : phrase;
}

/** Where the words that belong to a clause begin: after the last comma or conjunction before it, looked for six words back. */
function joint(words: readonly Word[], at: number, least: number): number {
  for (let i = at; i > Math.max(least, at - 6); i--) {
    const stop = /[,;:—(]|\s[-–]\s/.exec(words[i]?.gap ?? "");
    // "98%, but": the sign belongs to the figure.
    if (stop !== null) return (words[i - 1]?.end ?? 0) + stop.index;
    if (joints.has(words[i - 1]?.lower ?? ""))
      return (words[i - 2]?.end ?? 0) + Math.max(0, (words[i - 1]?.gap ?? "").search(/[\s,]/));
  }
  return words[at - 1]?.end ?? 0;
}
