import { canonicalKey, canonicalPredicate } from "../facts/canonical.ts";
import { cardinalityOf, isListed } from "../facts/cardinality.ts";
import { userSubject } from "../facts/claim.ts";
import type { SpannedClaim } from "../facts/rules/spanned-claim.ts";
import type { WorldTime } from "../model/fact.ts";
import type { Provenance } from "../model/record.ts";
import { wordsOf } from "../recall/query.ts";
import { findNames } from "../text/names.ts";
import { findDates } from "../text/time/find-dates.ts";
import type { FoundClaim, ShownFact, ShownText } from "./extract-prompt.ts";
import type { Reading, Readings, Sentence } from "./extract-reading.ts";

/** A claim that a text makes. */
export interface CheckedClaim<T> {
  readonly claim: SpannedClaim;
  readonly source: T;
}

/** A text with whose words it is. */
interface ClaimedText extends ShownText {
  /** Whom its speaker means by "I". */
  readonly subject: string;
  readonly provenance: Provenance;
}

interface ClaimChecks {
  readonly known: readonly ShownFact[];
  /** Provenances of texts that may make claims. */
  readonly from: readonly Provenance[];
  readonly readings: Readings;
}

/** UTF-16 units. What is longer is a sentence rather than a part of one. */
const longest = { subject: 120, predicate: 80, object: 300 } as const;
/** Claims of one text: one for every so many units of it, and some for short ones. */
const unitsPerClaim = 30;
const leastAllowed = 8;
/** A model that reads is believed a little less than a rule that matched, and what it concludes less than half. */
const mostConfidence = { stated: 0.9, guessed: 0.4 } as const;

/**
 * Of what a model claims that texts say, what they may be taken to say. Dropped is what the check of statements drops, and
 *
 * - a claim of a text that may make none, or about somebody whom the text does not name;
 * - what is said in a question, or denied where the claim affirms it;
 * - an end or a retraction that names no fact it was shown, or for which the text has no words, and an update that is a guess;
 * - a date that the text does not name.
 *
 * A claim whose words all stand in the text is the text's own, and has its provenance; any other is a guess, `ai_inferred`, which
 * never closes what somebody stated.
 */
export function checkClaims<T extends ClaimedText>(
  found: readonly FoundClaim[],
  texts: readonly T[],
  checks: ClaimChecks,
): readonly CheckedClaim<T>[] {
  const counts = texts.map(() => 0);
  const claims: CheckedClaim<T>[] = [];
  const seen = new Set<string>();
  for (const written of found) {
    const place = texts.length === 1 ? 0 : written.from - 1;
    const [source, reading, count = 0] = [texts[place], checks.readings.texts[place], counts[place]];
    if (source === undefined || reading === undefined || !checks.from.includes(source.provenance)) continue;
    if (count >= Math.max(leastAllowed, source.text.length / unitsPerClaim)) continue;
    for (const claim of new TextClaims(source, place, reading, checks).claimsOf(written)) {
      const key = JSON.stringify([place, claim.subject, claim.predicate, claim.object, claim.change]);
      if (seen.has(key)) continue;
      seen.add(key);
      counts[place] = (counts[place] ?? 0) + 1;
      claims.push({ claim, source });
    }
  }
  return claims;
}

/** What a claim is made of, once its names are those of the memory. */
interface Triple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly affirmed: boolean;
}

/** How a text says something. */
interface Saying {
  readonly sentence: Sentence;
  /** Whether all words of it stand in the sentence, and none of them makes it doubtful. */
  readonly literal: boolean;
}

class TextClaims {
  readonly #source: ClaimedText;
  readonly #place: number;
  readonly #reading: Reading;
  readonly #checks: ClaimChecks;

  constructor(source: ClaimedText, place: number, reading: Reading, checks: ClaimChecks) {
    this.#source = source;
    this.#place = place;
    this.#reading = reading;
    this.#checks = checks;
  }

  claimsOf(found: FoundClaim): readonly SpannedClaim[] {
    const fact = this.#checks.known[found.ref - 1];
    switch (found.change) {
      case "END":
      case "RETRACT":
        return fact === undefined ? [] : this.#ended(fact, found);
      case "UPDATE":
        return fact === undefined ? this.#added(found) : this.#updated(fact, found);
      case "NOOP":
        return fact === undefined ? [] : this.#again(fact, found);
      case "ADD":
        return this.#added(found);
    }
  }

  #added(found: FoundClaim): readonly SpannedClaim[] {
    const triple = this.#tripleOf(found);
    const saying = triple && this.#saying(triple);
    return triple && saying ? [this.#claim(triple, saying, found)] : [];
  }

  /** What was known ends, and the other holds instead. A number of a fact about something else is a mistake. */
  #updated(fact: ShownFact, found: FoundClaim): readonly SpannedClaim[] {
    const triple = this.#tripleOf(found);
    const about = triple && [triple.subject, fact.subject].map(canonicalKey);
    const said = [found.predicate, fact.predicate].map(canonicalPredicate);
    if (about?.[0] !== about?.[1] || said[0] !== said[1]) return this.#added(found);
    const saying = triple && this.#saying(triple);
    if (!(triple && saying?.literal)) return [];
    const claim = this.#claim(triple, saying, found);
    if (sameWords(triple.object, fact.object)) return [claim];
    // Where there can be one alone, the new one ends it.
    if (cardinalityOf(canonicalPredicate(fact.predicate)) === "one") return [claim];
    const { validFrom, provenance, confidence, saidAt, reason, span } = claim;
    const end = { ...fact, change: "end" as const, provenance, confidence, saidAt, reason, span };
    return [validFrom === undefined ? end : { ...end, validUntil: validFrom }, claim];
  }

  #ended(fact: ShownFact, found: FoundClaim): readonly SpannedClaim[] {
    const saying = this.#saying(fact, { ending: true });
    if (!saying?.literal) return [];
    const end = this.#timeOf(found.until) ?? this.#timeOf(found.when);
    const change = found.change === "END" ? "end" : "retract";
    const { factId } = fact;
    const claim = {
      ...this.#claim(fact, saying, { ...found, when: "", until: "" }),
      change,
      factId,
    } as const;
    return [change === "end" && end !== undefined ? { ...claim, validUntil: end } : claim];
  }

  /** What is known is said again, by another text perhaps. */
  #again(fact: ShownFact, found: FoundClaim): readonly SpannedClaim[] {
    const saying = this.#saying(fact);
    return saying?.literal ? [this.#claim(fact, saying, { ...found, when: "", until: "" })] : [];
  }

  #claim({ subject, predicate, object, affirmed }: Triple, saying: Saying, found: FoundClaim): SpannedClaim {
    const { sentence, literal } = saying;
    const most = literal ? mostConfidence.stated : mostConfidence.guessed;
    const [validFrom, validUntil] = [this.#timeOf(found.when), this.#timeOf(found.until)];
    // Models take what somebody has many of for one: what is known of a predicate counts.
    const alone = literal && found.cardinality === "one" && !isListed(canonicalPredicate(predicate));
    const start = sentence.start + sentence.text.length - sentence.text.trimStart().length;
    // "until 2018", of which nobody knows since when.
    const past = validFrom === undefined && validUntil !== undefined && validUntil.at <= this.#source.saidAt;
    return {
      ...{ subject, predicate, object, affirmed },
      ...(past ? { change: "end" as const } : {}),
      confidence: Math.min(found.confidence, most),
      provenance: literal ? this.#source.provenance : "ai_inferred",
      saidAt: this.#source.saidAt,
      reason: `model_${found.change.toLowerCase()}`,
      span: { start, end: start + sentence.text.trim().length },
      ...(alone ? { cardinality: "one" as const } : {}),
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validUntil === undefined || earlier(validUntil, validFrom) ? {} : { validUntil }),
    };
  }

  /** The parts of a claim as a fact has them; undefined for one that is none. */
  #tripleOf({ subject, predicate, object, affirmed }: FoundClaim): Triple | undefined {
    const triple = {
      subject: this.#subjectOf(tidy(subject)),
      predicate: tidy(predicate),
      object: tidy(object).replace(/[.!。]+$/u, ""),
      affirmed,
    };
    const fits = (["subject", "predicate", "object"] as const).every(
      (part) => /[\p{L}\p{N}]/u.test(triple[part]) && triple[part].length <= longest[part],
    );
    return fits ? triple : undefined;
  }

  /** A speaker with a name is that name; the model may call anybody who speaks the user. */
  #subjectOf(written: string): string {
    const { subject, provenance, speaker } = this.#source;
    const named = written.replace(/^the (?=user\b|assistant\b)/iu, "");
    if (sameWords(named, speaker) || /^(?:i|me|myself)$/iu.test(named)) return subject;
    if (!/^user\b/iu.test(named)) return named;
    const own = provenance === "user_stated" ? subject : userSubject;
    return `${own}${named.slice(userSubject.length)}`;
  }

  /**
   * The sentence that says it, if it may be taken to.
   *
   * @param ending whether the text ends it: then it need not have the object, and denies it
   */
  #saying({ subject, predicate, object, affirmed }: Triple, { ending = false } = {}): Saying | undefined {
    const verb = predicate.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replaceAll("_", " ");
    // Of what ends, the text may say no more than "there" or "it".
    const thing = ending && !this.#names(object) ? "" : object;
    const own = `${subject} ${thing}`;
    if (!this.#checks.readings.states(this.#place, `${subject} ${verb} ${thing}`, own)) return undefined;
    const ofSpeaker = sameWords(subject, this.#source.subject);
    if (!ofSpeaker && !this.#names(subject)) return undefined;
    const terms = this.#reading.termsOf(thing);
    const about = { ofSpeaker, terms, subject: wordsOf(subject), words: wordsOf(`${subject} ${object}`) };
    const verbs = this.#reading.termsOf(verb);
    const sayings = this.#reading.sentences.flatMap((sentence): (Saying & { readonly rank: number })[] => {
      const there = terms.filter((term) => sentence.clauses.some((clause) => clause.terms.has(term)));
      const verbal = verbs.some((term) => sentence.clauses.some((clause) => clause.terms.has(term)));
      if (there.length === 0 && !(ending && verbal)) return [];
      if (isQuestion(sentence.text) || saidOfAnother(sentence, about)) return [];
      const clauses = sentence.clauses.filter((clause) => there.some((term) => clause.terms.has(term)));
      const denied = (clauses.length > 0 ? clauses : sentence.clauses).some(({ text }) => denial.test(text));
      if (ending ? !(denied || ceasing.test(sentence.text)) : affirmed && denied) return [];
      const whole = ending || (there.length === terms.length && terms.length > 0);
      const literal = whole && (ending || affirmed || denied) && !isDoubtful(sentence.text);
      return [{ sentence, literal, rank: there.length + (verbal ? 0.5 : 0) + (literal ? 100 : 0) }];
    });
    return sayings.reduce<(typeof sayings)[number] | undefined>(
      (best, saying) => (best === undefined || saying.rank > best.rank ? saying : best),
      undefined,
    );
  }

  /** Whether the text has all words of a subject or an object. */
  #names(thing: string): boolean {
    const terms = this.#reading.termsOf(thing);
    return terms.length > 0 && terms.every((term) => this.#reading.has(term));
  }

  /** The time that some words mean, if the text names that time itself. */
  #timeOf(words: string): WorldTime | undefined {
    const { saidAt: at, zone = "UTC" } = this.#source;
    const [meant] = words.trim() === "" ? [] : findDates(words, { at, zone });
    if (meant === undefined) return undefined;
    const named = this.#reading.dates.find(
      ({ start, precision }) => start === meant.start && precision === meant.precision,
    );
    return named && { at: named.start, precision: named.precision, words: named.words, zone: named.zone };
  }
}

function tidy(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function sameWords(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function earlier(until: WorldTime, from: WorldTime | undefined): boolean {
  return from !== undefined && until.at <= from.at;
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]\s*["'”’)]*\s*$/u.test(sentence);
}

/**
 * Whether a sentence says something of another than the subject: "I" where somebody else is the subject, or a name where the
 * speaker is.
 */
function saidOfAnother(sentence: Sentence, { ofSpeaker, subject, words, terms }: About): boolean {
  const said = [...wordsOf(sentence.text)];
  if (ofSpeaker) {
    if (said.some((word) => ownWords.has(word))) return false;
    const names = [...findNames(sentence.text).map(({ text }) => text), ...actorOf(sentence.text)];
    return names.some((name) => [...wordsOf(name)].every((word) => !words.has(word)));
  }
  const clauses = sentence.clauses.filter((clause) => terms.some((term) => clause.terms.has(term)));
  return !said.some((word) => subject.has(word)) && clauses.some((clause) => clause.ofSpeaker);
}

/** "Ines lives in Porto": who does something by the form of the verb, since a word at the beginning may be a name or not. */
function actorOf(sentence: string): readonly string[] {
  const [, actor] = /^\s*(\p{Lu}\p{L}+)\s+(?:is|was|has|had|will|\p{Ll}{2,}(?:s|ed))\b/u.exec(sentence) ?? [];
  return actor === undefined ? [] : [actor];
}

/** What a sentence is looked at for. */
interface About {
  /** Whether the subject is who speaks. */
  readonly ofSpeaker: boolean;
  /** Words of the subject, and of subject and object. */
  readonly subject: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** Terms of the object. */
  readonly terms: readonly string[];
}

/** With which speakers speak of themselves, in the languages that are written most. Folded. */
const ownWords: ReadonlySet<string> = new Set(
  `i im ive id ill me my mine myself we were our ours us ich mir mich mein meine meiner meinem meinen wir uns unser unsere je j moi
  mon ma mes nous notre yo mi mis me nosotros nuestro nuestra io mio mia miei noi nostro eu meu minha nos ik mijn wij ons я мне меня
  мой моя мы наш 我 我们 私 僕 俺 나 저 내 제`.split(/\s+/),
);

/** Words that deny, in the languages that are written most. */
const denial = anyOf(
  String.raw`not|no|never|none|nobody|nothing|neither|nor|without|cannot|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|ne|pas|jamais|
  nunca|jamás|tampoco|não|non|mai|niet|geen|не|нет|никогда`,
  "不|没|ません|ない|아니|않",
);

/** Words by which something ends. */
const ceasing = anyOf(
  `any ?more|any longer|stopped|quit|left|sold|lost|gave up|gave away|ended|over|broke up|split up|divorced|moved|
  cancell?ed|called off|resigned|retired|dropped|switched|used to|former|formerly|ex|dead|died|passed away|aufgehört|verkauft|
  gekündigt|getrennt|arrêté|vendu|quitté|dejé|dejado|vendí`,
);

/** Words that make something doubtful, or a condition. "May" is also a month. */
const doubt = anyOf(
  `if|would|might|maybe|perhaps|probably|possibly|could|should|wish|unless|whether|suppose|imagine|wenn|falls|würde|
  vielleicht|peut-être|si|quizás?|tal vez|forse|talvez|misschien|если|может`,
);

function isDoubtful(sentence: string): boolean {
  return doubt.test(sentence) || /\bmay\b/u.test(sentence);
}

/** Words, and signs of scripts that write none apart. */
function anyOf(words: string, signs = ""): RegExp {
  const apart = String.raw`(?<!\p{L})(?:${words.replace(/\s*\n\s*/g, "")})(?!\p{L})`;
  return new RegExp(signs === "" ? apart : `${apart}|${signs}`, "iu");
}
