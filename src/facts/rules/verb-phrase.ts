import { readVerb, type VerbForm, verbOfIng } from "./verb-forms.ts";
import { type Word, wordSet } from "./words.ts";

/**
 * How what a verb says stands to the time it is said at: `holds` (also "have lived"), `was`, `ended` ("used to", "no longer",
 * "stopped"), `will`.
 */
export type Mode = "holds" | "was" | "ended" | "will";

/** A verb with what goes before it. */
export interface VerbPhrase {
  /** "be" for "am", "is" and "was"; a verb that no table has stands as written. */
  readonly lemma: string;
  readonly form: VerbForm;
  readonly mode: Mode;
  /** "don't", "never". */
  readonly negated: boolean;
  /** "have been", "'ve visited". */
  readonly perfect: boolean;
  /** "am working". */
  readonly progressive: boolean;
  /** "can", "know how to". */
  readonly able: boolean;
  /** "just started", "began". */
  readonly begun: boolean;
  /** An adverb of how often: "usually". */
  readonly habitual: boolean;
  /** 1, less for "probably". */
  readonly confidence: number;
  /** The word after the verb. */
  readonly next: number;
  /** The verb itself. */
  readonly at: number;
}

const often = wordSet("always usually often regularly normally typically generally frequently mostly");
const plain =
  wordSet(`also just still really actually currently now already recently finally absolutely truly definitely
  officially originally quite rather mainly primarily personally both all only even simply quickly slowly totally completely deeply
  genuinely particularly especially sincerely kinda happily proudly secretly lately obviously literally honestly
  strongly highly fully eventually once much first successfully newly basically essentially pretty`);
const doubtful = wordSet(
  "maybe perhaps possibly supposedly apparently allegedly almost hardly barely rarely seldom sometimes nearly",
);
// Other adverbs: "legally", "accidentally".
const manner =
  /^(?!(?:rely|apply|supply|reply|multiply|comply|imply|assembly|family|early|likely|lovely|friendly|lonely|elderly|ugly|silly|july|italy|only)$)\p{L}{3,}ly$/u;
const modal = wordSet("would should could might may must shall ought 'd");
const amount = /^(?:\d[\d.,]*|an?|no|two|three|four|five|six|seven|eight|nine|ten|twelve|several)$/;
// What "I call my parents on Sundays" goes on with is no verb of theirs.
const notVerbs =
  wordSet(`a an the this that these those my your his her our their its and or but nor if when while because as than so of in on at
  with without from to into by about for over under after before near between through during until till since there here it
  them him me us you who whom which what where how why too again both each every some any no yes`);
const beForms = wordSet("am is are was were be been being 'm 're");

/** The verb phrase that begins after a subject (`beside`: and a comma), or undefined when nothing is stated by one. */
export function readVerbPhrase(
  words: readonly Word[],
  from: number,
  singular: boolean,
  beside = false,
): VerbPhrase | undefined {
  return new Reading(words, from, singular, beside).read();
}

class Reading {
  readonly #words: readonly Word[];
  readonly #singular: boolean;
  /** A word that may stand after a comma. */
  readonly #afterComma: number;
  #at: number;
  #negated = false;
  #ended = false;
  #will = false;
  #perfect = false;
  #able = false;
  #begun = false;
  #habitual = false;
  #confidence = 1;

  constructor(words: readonly Word[], from: number, singular: boolean, beside: boolean) {
    this.#afterComma = beside ? from : -1;
    this.#words = words;
    this.#at = from;
    this.#singular = singular;
  }

  read(): VerbPhrase | undefined {
    if (!this.#adverbs()) return undefined;
    const word = this.#lower();
    if (word === undefined) return undefined;
    if (modal.has(word)) return this.#wish(word);
    if (word === "will" || word === "'ll" || word === "gonna") return this.#future(1);
    if (word === "can") return this.#ability();
    if (word === "used" && this.#lower(1) === "to") {
      this.#at += 2;
      this.#ended = true;
      return this.#main("was");
    }
    if (word === "do" || word === "does" || word === "did") return this.#auxiliaryDo(word);
    if (word === "have" || word === "'ve" || word === "has" || word === "had") return this.#have(word);
    if (word === "'s") return this.#shortS();
    if (beForms.has(word)) return this.#be(word === "was" || word === "were");
    return this.#main("holds");
  }

  #lower(ahead = 0): string | undefined {
    const at = this.#at + ahead;
    const word = this.#words[at];
    // Punctuation ends a verb phrase.
    return word === undefined || (at > 0 && at !== this.#afterComma && !/^\s*$/.test(word.gap))
      ? undefined
      : word.lower;
  }

  /** Takes adverbs and denials; false when what is said is not said for sure. */
  #adverbs(): boolean {
    for (;;) {
      const word = this.#lower();
      if (word === undefined) return true;
      if (word === "n't" || word === "not" || word === "never") this.#negated = true;
      else if (word === "no" && this.#lower(1) === "longer") {
        this.#ended = true;
        this.#at++;
      } else if (often.has(word)) this.#habitual = true;
      else if (word === "probably" || word === "likely") this.#confidence = 0.5;
      else if (doubtful.has(word)) return false;
      else if (!plain.has(word) && !manner.test(word)) return true;
      this.#at++;
    }
  }

  #future(length: number): VerbPhrase | undefined {
    this.#at += length;
    this.#will = true;
    if (!this.#adverbs()) return undefined;
    // "Will be renting" is "will rent".
    const done = this.#lower(1) ?? "";
    if (this.#lower() === "be" && done.length > 4 && done.endsWith("ing") && !notIng.has(done)) {
      this.#at += 2;
      return this.#phrase(verbOfIng(done), "ing", "will", this.#at - 1);
    }
    return this.#main("will");
  }

  #ability(): VerbPhrase | undefined {
    this.#at++;
    if (!this.#adverbs()) return undefined;
    this.#able = true;
    return this.#main("holds");
  }

  #auxiliaryDo(word: string): VerbPhrase | undefined {
    this.#at++;
    if (!this.#adverbs()) return undefined;
    const main = this.#lower();
    // "I do yoga" does it.
    if (!this.#negated && word === "do" && (main === undefined || readVerb(main).length === 0))
      return this.#phrase("do", "base", "holds", this.#at - 1);
    if (!this.#negated && word !== "do" && main !== undefined && notVerbs.has(main))
      return this.#phrase(
        "do",
        word === "did" ? "past" : "third",
        word === "did" ? "was" : "holds",
        this.#at - 1,
      );
    if (main === undefined) return undefined;
    if (word === "did" && this.#negated && main === "use" && this.#lower(1) === "to") return undefined;
    return this.#main(word === "did" ? "was" : "holds");
  }

  #have(word: string): VerbPhrase | undefined {
    const own = this.#at;
    this.#at++;
    if (!this.#adverbs()) return undefined;
    const next = this.#lower();
    if (next === "been") {
      this.#perfect = true;
      this.#at++;
      if (!this.#adverbs()) return undefined;
      return word === "had" ? undefined : this.#afterBe(false);
    }
    if (next === "got" && word !== "had" && !/^(?:married|divorced|engaged|to)$/.test(this.#lower(1) ?? "")) {
      const got = this.#at;
      this.#at++;
      return this.#phrase("have", "base", "holds", got);
    }
    const participle = next === undefined ? undefined : find(next, "participle");
    if (participle !== undefined && word !== "had") {
      this.#perfect = true;
      return this.#main("was", "participle");
    }
    // Of a medicine that one has to take.
    if (next === "to" && this.#lower(1) === "take" && word !== "had") {
      this.#at++;
      return this.#main("holds");
    }
    // "I've 43 days of leave".
    const counted = word === "'ve" && next !== undefined && amount.test(next);
    if ((word === "'ve" && !counted) || participle !== undefined || next === "to" || next === "had")
      return undefined;
    return this.#phrase("have", word === "has" ? "third" : "base", word === "had" ? "was" : "holds", own);
  }

  /** "Would like to" wants to; all else that would be is not so. */
  #wish(word: string): VerbPhrase | undefined {
    if (word !== "'d" && word !== "would") return undefined;
    this.#at++;
    // "I'd much rather have tea".
    const much = this.#lower() === "much" ? 1 : 0;
    if (
      this.#lower(much) === "rather" &&
      !/^(?:not|you|we|he|she|they|be)$/.test(this.#lower(much + 1) ?? "not")
    ) {
      this.#at += much + 1;
      return this.#phrase("rather", "base", "holds", this.#at - 1);
    }
    if (!this.#adverbs() || this.#negated) return undefined;
    const own = this.#at;
    if (!/^(?:like|love)$/.test(this.#lower() ?? "") || this.#lower(1) !== "to") return undefined;
    this.#at++;
    return this.#phrase("want", "base", "holds", own);
  }

  /** "'s" is "is" or "has". */
  #shortS(): VerbPhrase | undefined {
    const next = this.#lower(1);
    if (hasDone.has(next ?? "")) return this.#have("has");
    return this.#be(false);
  }

  #be(past: boolean): VerbPhrase | undefined {
    this.#at++;
    if (!this.#adverbs()) return undefined;
    // "Am going to start", "am about to start", "am due to start".
    if (/^(?:going|about|due|set)$/.test(this.#lower() ?? "") && this.#lower(1) === "to" && this.#isDone(2))
      return past ? undefined : this.#future(2);
    if (this.#lower() === "gonna") return past ? undefined : this.#future(1);
    return this.#afterBe(past);
  }

  /** Whether a word is what somebody does: by the table, or by what it is done to ("dye my hair"). */
  #isDone(ahead: number): boolean {
    const word = this.#lower(ahead);
    if (word === undefined || notVerbs.has(word)) return false;
    return (
      find(word, "base") !== undefined ||
      (isLower(this.#words[this.#at + ahead]) &&
        /^(?:an?|the|my|our|his|her|their|some|it|this|that)$/.test(this.#lower(ahead + 1) ?? ""))
    );
  }

  #afterBe(past: boolean): VerbPhrase | undefined {
    const word = this.#lower();
    const mode: Mode = past ? "was" : "holds";
    if (word?.endsWith("ing") && word.length > 4 && !notIng.has(word)) {
      const own = this.#at;
      this.#at++;
      return this.#phrase(verbOfIng(word), "ing", mode, own, true);
    }
    return this.#phrase("be", "base", mode, this.#at - 1);
  }

  #main(mode: Mode, wanted?: VerbForm): VerbPhrase | undefined {
    if (!this.#adverbs()) return undefined;
    const word = this.#lower();
    if (word === undefined || notVerbs.has(word)) return undefined;
    const own = this.#at;
    if (
      (mode === "holds" || this.#perfect) &&
      /^(?:stopped|quit|stop)$/.test(word) &&
      /ing$/.test(this.#lower(1) ?? "")
    )
      return this.#giving(1);
    if (/^(?:gave|given)$/.test(word) && this.#lower(1) === "up") {
      if (/ing$/.test(this.#lower(2) ?? "")) return this.#giving(2);
      this.#at += 2;
      return this.#phrase("give up", "past", "was", own);
    }
    if (/^(?:started|began)$/.test(word) && /ing$/.test(this.#lower(1) ?? "")) {
      this.#at += 2;
      this.#begun = true;
      const main = this.#words[this.#at - 1]?.lower ?? "";
      return this.#phrase(verbOfIng(main), "ing", "holds", this.#at - 1);
    }
    this.#at++;
    if (word === "be") return this.#phrase("be", "base", mode, own);
    const form = wanted ?? this.#formOf(word, mode);
    if (form === undefined) return undefined;
    const lemma = find(word, form) ?? word;
    return this.#phrase(lemma, form, mode === "holds" && form === "past" ? "was" : mode, own);
  }

  #giving(ahead: number): VerbPhrase | undefined {
    this.#at += ahead + 1;
    this.#ended = true;
    const main = this.#words[this.#at - 1]?.lower ?? "";
    return this.#phrase(verbOfIng(main), "ing", "was", this.#at - 1);
  }

  /** Which form a word has here: "work" after "I", "works" after "she". */
  #formOf(word: string, mode: Mode): VerbForm | undefined {
    const readings = readVerb(word);
    if (mode === "will" && readings.some(({ form }) => form === "ing")) return "ing";
    if (mode !== "holds" || this.#able) return "base";
    const has = (form: VerbForm): boolean => readings.some((reading) => reading.form === form);
    if (this.#negated || this.#words[this.#at - 2]?.lower === "do") return "base";
    if (this.#singular) return has("third") ? "third" : has("past") ? "past" : undefined;
    if (has("past") && has("base")) return /^(?:quit|put|set|cut|hurt|split)$/.test(word) ? "past" : "base";
    return has("past") ? "past" : readings.length === 0 || has("base") ? "base" : undefined;
  }

  #phrase(lemma: string, form: VerbForm, mode: Mode, at: number, progressive = false): VerbPhrase {
    return {
      lemma,
      form,
      mode: this.#will ? "will" : this.#ended ? "ended" : mode,
      negated: this.#negated,
      perfect: this.#perfect,
      progressive,
      able: this.#able,
      begun: this.#begun,
      habitual: this.#habitual,
      confidence: this.#confidence,
      next: this.#at,
      at,
    };
  }
}

// After "'s", these say what somebody has done, not what they are: "Mum's moved to Perth".
const hasDone = wordSet(
  "been got gone had become grown risen fallen come moved joined started begun turned switched quit left taken stopped bought sold lost passed failed finished",
);

function isLower(word: Word | undefined): boolean {
  return word !== undefined && /^\p{Ll}/u.test(word.text);
}

const notIng = wordSet(
  "being king ring thing something nothing anything everything interesting amazing willing outgoing during morning evening boring",
);

function find(word: string, form: VerbForm): string | undefined {
  return readVerb(word).find((reading) => reading.form === form)?.lemma;
}
