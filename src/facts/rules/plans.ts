import { knownPlaces } from "../../text/name-words.ts";
import { deed, type Piece, phrase, place, things } from "./objects.ts";
import { type Draft, event, lasting, now, ongoing, type Rule, type RuleContext, verbRule } from "./rule.ts";
import { verbOfIng } from "./verb-forms.ts";

// Deeds of this conversation and of the next minute: "I want to know", "I plan to check it out".
const passing =
  /^(?:be|know|see|hear|get|have|thank|talk|discuss|understand|share|say|point|mention|add|confirm|ask|find|make|check|do|let|keep|look|use|try|focus|start (?:by|with)|go (?:with|through|over|for|ahead|back|home)|give|take|set|put|think|tell|show|include|ensure|avoid|help|improve|work|learn more|explore (?:the|this|that|how)|incorporate|implement|create|follow|consider|continue|review|send|update|prepare|compare|balance|practice|figure|come|feel|reach|stay|spend|stick|maintain|increase|reduce|optimi[sz]e|highlight|clarify|address|handle|schedule|start|test|deploy|prioriti[sz]e|manage|better|need|want|bring|call|die|cry|believe|like|respond|provide|apply (?:this|these|those|the)|be able)\b/i;

// What changes a life, or is done on one day of it.
const lifelong =
  /^(?:be(?:come)? an?\b|learn(?! (?:more|about|how)\b)|visit\b|travel\b|become\b|own\b|live\b|move\b|relocate\b|emigrate\b|retire\b|study\b|run (?:an?|my|the|for|another)\b|write (?:a|my|another) (?:\p{L}+ )?(?:book|novel|memoir|screenplay|thesis)|climb\b|adopt\b|build (?:a|my own) (?:\p{L}+ )?(?:house|home|cabin|boat|shed|treehouse|business|family|company|pc|computer)|lose (?:weight|\d)|gain (?:weight|\d)|go (?:part[- ]time|freelance|solo|to|on|back to (?:school|college|university)|hiking|camping|skiing|surfing|abroad|vegan|vegetarian|skydiving|diving|fishing|sailing)\b|buy\b|get (?:married|divorced|engaged|fit|in shape|an? (?:new )?(?:dog|cat|puppy|kitten|car|tattoo|job|bike|degree|phd|master)|my (?:license|driving|degree|phd|master\b|pilot))|start (?:an?|my|our|working|college|university|school|(?:nursing|medical|law|art|night|grad|culinary|drama) school|a business)\b|walk (?:the \p{Lu}|across|from)|learn (?:how )?to (?!use|do\b|make|be\b|get|implement|create|build|set|handle|manage|fix|solve|add|improve|better|write (?:better|clean))|open (?:an?|my|our)|quit\b|have (?:kids|children|a baby|a family|another)|save\b|publish\b|hike\b|sail\b|cycle\b|swim\b|complete (?:an?|my)|finish (?:my|writing)|graduate\b|join\b|take (?:an? (?!look|moment|step|minute|second|break|closer|peek|nap|walk|photo|picture|seat|chance)|up\b)|switch\b|apply (?:for|to)\b|sell (?:my|our|the)|renovate\b|launch\b|teach\b|work (?:at|as|in|abroad|for)|enrol|enroll|volunteer\b|qualify (?:as|for)\b|train (?:as|to be)\b|attend\b|host\b|propose\b|marry\b|play\b|master\b|pass (?:the|my)|compete\b|celebrate\b|explore (?:\p{Lu}|the world)|fly\b|drive\b|ski\b|see (?:the northern lights|\p{Lu})|stop\b|give up|cut (?:back|down)|pursue\b|specialize|specialise|plant\b|road[- ]?trip|backpack)/u;

function changesLife({ text }: Piece): boolean {
  return lifelong.test(text) && isClear(text);
}

// "The party", "the store": which, only the conversation knows; a version or an identifier is of a program.
const known = /^(?!learn)\p{L}+ (?:to )?the \p{Ll}+$/u;
const technical =
  /v?\d+\.\d|\b(?:algorithms?|api|scripts?|code|library|framework|model|database|server|function|induction|proofs?|latency|approach|implementation|deployment|app|problems|users?)\b|[a-z][A-Z]|_/;

const alone = /^(?:retire|graduate|emigrate|propose|downsize|ski|travel|marry|relocate|remarry)$/i;
const vagueDeed = /\b(?:it|that|this|them|these|those|you|your|there|here|one)\b/i;

/** Whether a deed says by itself what is done, and is not of a program. */
function isClear(text: string): boolean {
  return (
    !known.test(text) &&
    !technical.test(text) &&
    !vagueDeed.test(text) &&
    (!/^\p{L}+$/u.test(text) || alone.test(text))
  );
}

/** What one wants for long: not to save time, to play a game now, to switch to something more efficient. */
function wish(piece: Piece): boolean {
  return (
    changesLife(piece) &&
    !/^travel$|^buy (?:(?:my|our|him|her|them|some|the)\b|.*\b(?:present|gift|ticket)s?\b)/i.test(
      piece.text,
    ) &&
    !/^(?:save (?!money|up|for)|play (?:an?|some|another)\b|switch (?!careers?|jobs?|majors?|to (?:an? )?(?:vegan|plant|electric))|learn (?:from|some)|run (?:my|the|a (?:test|script|few)))/i.test(
      piece.text,
    )
  );
}

function lastingDeed({ text }: Piece): boolean {
  return !passing.test(text) && isClear(text) && !/\bmyself\b/i.test(text);
}

/** What somebody plans, wants and aims at. */
export const planRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "plans to",
      verbs: "plan intend",
      after: /\s+(?:on\s+)?(?:to\s+)?/i,
      predicate: "plans_to",
      object: planned,
      effect: now,
      timing: "plan",
      // An errand or a dish is no plan, with a date or without.
      accepts: (piece, { dates }) =>
        changesLife(piece)
          ? !/^buy (?:some|more)\b/i.test(piece.text)
          : dates().length > 0 &&
            lastingDeed(piece) &&
            !/^(?:buy|purchase|bring|cook|bake|make|blend|present|invite|order|pick|wear|meet|discuss|call|solve|complete|submit|notify)\b/i.test(
              piece.text,
            ),
    },
    when: ({ rest }) => /^\s+(?:to|on\s+\p{L}+ing)\b/iu.test(rest),
  }),
  verbRule({
    ...{
      name: "plans a trip",
      verbs: "plan organise organize",
      predicate: "plans_to",
      object: phrase,
      timing: "plan",
    },
    effect: ongoing,
    when: ({ rest }) => /^\s+(?:an?|our|my)\s/i.test(rest),
    accepts: ({ text }) =>
      /^(?:[\p{L}-]+ ){0,3}?(?:trip|vacation|holiday|wedding|party|honeymoon|reunion|cruise|retreat|tour|move|hike)(?=$|\s+(?:to|in|at|for|with|from|around|on|across|through|and)\b)/iu.test(
        text,
      ) &&
      !/\b(?:him|her|them|it|this|that|you|store|supermarket|mall)\b/i.test(text) &&
      text.split(/\s+/).length <= 7,
  }),
  verbRule({
    ...{
      name: "hopes to",
      verbs: "hope aim",
      after: /\s+to\b/i,
      predicate: "plans_to",
      object: deed,
      effect: now,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  verbRule({
    ...{
      name: "wants to",
      verbs: "want",
      after: /\s+to\b/i,
      predicate: "wants_to",
      object: deed,
      timing: "plan",
      accepts: wish,
    },
    effect: ({ phrase: { mode, negated, progressive } }) =>
      mode === "holds" && !progressive ? (negated ? { affirmed: false } : {}) : undefined,
  }),
  verbRule({
    ...{
      name: "dreams of",
      verbs: "dream",
      after: /\s+(?:of|about)\b/i,
      predicate: "wants_to",
      object: dreamt,
      effect: now,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  verbRule({
    ...{
      name: "decided to",
      verbs: "decide",
      after: /\s+to\b/i,
      predicate: "plans_to",
      object: deed,
      effect: event,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  {
    verbs: [
      "go",
      "move",
      "travel",
      "fly",
      "visit",
      "start",
      "attend",
      "run",
      "get",
      "leave",
      "relocate",
      "take",
      "join",
      "study",
      "drive",
      "graduate",
      "retire",
      "marry",
      "buy",
      "have",
      "sell",
      "adopt",
      "renovate",
      "replace",
    ],
    read: coming,
  },
  verbRule({
    ...{ name: "cancelled", verbs: "cancel", predicate: "plans_to", object: phrase, timing: "none" },
    effect: ({ phrase: { mode, negated } }) => (mode === "was" && !negated ? { change: "end" } : undefined),
    when: ({ rest }) =>
      /^\s+(?:my|our|the)\s+(?:\p{L}+ )?(?:trip|vacation|holiday|wedding|party|flight|move|visit)\b/iu.test(
        rest,
      ),
  }),
  { verbs: ["be"], read: aim },
  verbRule({
    ...{
      name: "is off to",
      verbs: "be",
      after: /\s+off\s+to\b/i,
      predicate: "plans_to",
      effect: now,
      timing: "plan",
    },
    object: (text, options) =>
      place(text, options).map((piece) => ({ ...piece, text: `go to ${piece.text}` })),
    when: ({ dates }) => dates().length > 0,
  }),
  verbRule({
    ...{
      name: "training for",
      verbs: "train",
      after: /\s+for\b/i,
      predicate: "training_for",
      object: phrase,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "preparing for",
      verbs: "prepare study revise",
      after: /\s+for\b/i,
      predicate: "preparing_for",
      object: phrase,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) =>
      /\b(?:exams?|finals|gcses|a-levels|a levels|sat|gre|gmat|ielts|toefl|lsat|mcat|upsc|gate|jee|neet|bar|boards|certification|marathon|triathlon|race)$/i.test(
        text,
      ) &&
      !/^(?:exams?|finals|race|boards|tests?)$/i.test(text) &&
      text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "saving for",
      verbs: "save saving",
      after: /\s+(?:up\s+|money\s+)?(?:for|to buy)\b/i,
      predicate: "saving_for",
      object: phrase,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "trying to save for",
      verbs: "try",
      after: /\s+to\s+save\s+(?:up\s+|money\s+)?for\b/i,
      predicate: "saving_for",
      object: phrase,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{ name: "reading", verbs: "read", predicate: "reading", object: title, timing: "state" },
    effect: ongoing,
  }),
  verbRule({
    ...{
      name: "working on",
      verbs: "work",
      after: /\s+on\b/i,
      predicate: "working_on",
      object: things,
      timing: "none",
    },
    effect: lasting,
    when: ({ clause: { phrase: verb }, rest }) =>
      verb.progressive && verb.mode === "holds" && !verb.negated && /^\s+on\s+(?:an?|my|our)\b/i.test(rest),
    accepts: ({ text }) =>
      /\b(?:book|novel|album|thesis|dissertation|startup|app|game|website|blog|podcast|screenplay|script|film|movie|documentary|memoir|song|mural|painting|quilt|phd)\b/i.test(
        text,
      ) && text.split(/\s+/).length <= 5,
  }),
];

/** "Visit Iceland", and "visiting Iceland" as that. */
function planned(text: string): readonly Piece[] {
  return deed(text).map((piece) => ({
    ...piece,
    text: piece.text.replace(
      /^(?!(?:bring|sing|sting|swing|ring|fling|cling|spring|ping)\b)(\p{L}+)ing\b/u,
      (word: string) => verbOfIng(word.toLowerCase()),
    ),
  }));
}

function dreamt(text: string): readonly Piece[] {
  return /^\s+\p{L}+ing\b/iu.test(text) ? planned(text) : [];
}

/** "I'm moving to Berlin in June", "we're going to Greece next month", "I will visit Rome in May": with a date or a place. */
function coming({ clause, subject, rest, dates }: RuleContext): readonly Draft[] {
  const { phrase: verb } = clause;
  // "I start my new job on Monday".
  const begins =
    verb.lemma === "start" &&
    verb.mode === "holds" &&
    !verb.habitual &&
    !verb.perfect &&
    !verb.begun &&
    dates().length > 0;
  const ahead =
    verb.mode === "will" || begins || (verb.progressive && verb.mode === "holds" && !verb.perfect);
  const off = verb.negated && /\b(?:after all|any ?more|any longer)\b/i.test(clause.rest);
  if (
    !ahead ||
    (verb.negated && !off) ||
    verb.habitual ||
    subject.kind === "attribute" ||
    subject.kind === "pet"
  )
    return [];
  const [object] = deed(rest);
  if (object === undefined && !/^(?:graduate|retire|marry)$/.test(verb.lemma)) return [];
  const what = `${verb.lemma}${object === undefined ? "" : ` ${rest.slice(firstLetter(rest), object.at + object.text.length)}`}`;
  const dated =
    dates().length > 0 ||
    /\b(?:over|at|for) (?:the )?(?:easter|christmas|new year|holidays|summer|half term|thanksgiving|diwali|eid)\b|\b(?:in|this|next) (?:the )?(?:spring|summer|autumn|fall|winter)\b/i.test(
      clause.rest,
    );
  const toPlace = placeIn(rest);
  const sure = /^(?:move|relocate)$/.test(verb.lemma) ? toPlace || dated : dated;
  const trip = /^(?:go|travel|fly|visit|drive)$/.test(verb.lemma) && toPlace;
  // "I'm visiting Kyoto" may be of today, "to Costco" is an errand.
  if (/^(?:fly|drive|go|travel) (?:back )?home\b/.test(what)) return [];
  if (/^go to (?:be|have|get|do|try|start|make|see|take|a?n? ?bed|sleep|work)\b/.test(what)) return [];
  if (verb.lemma === "visit" && verb.progressive && !dated) return [];
  if (verb.lemma === "go" && !dated && !isTown(rest)) return [];
  // "I think I'll go over it".
  if (clause.confidence < 1 || !(sure || trip) || !lastingPlan(verb.lemma, what)) return [];
  return [
    {
      subject: subject.text,
      predicate: "plans_to",
      object: what,
      timing: off ? "none" : "plan",
      reason: "what comes",
      ...(off ? { change: "end" as const } : {}),
    },
  ];
}

function firstLetter(text: string): number {
  return /\S/.exec(text)?.index ?? 0;
}

function placeIn(rest: string): boolean {
  const name = /^\s+(?:back\s+)?(?:to\s+)?(?:the\s+)?(\p{Lu}\p{L}+)/u.exec(rest)?.[1];
  const lower = /^\s+(?:to\s+)?(\p{L}+)/u.exec(rest)?.[1] ?? "";
  return name !== undefined || (lower !== "us" && knownPlaces.has(lower.toLowerCase()));
}

function isTown(rest: string): boolean {
  const name = /^\s+(?:back\s+)?to\s+(?:the\s+)?(\p{Lu}\p{L}+(?:\s+\p{Lu}\p{L}+)?)/u.exec(rest)?.[1] ?? "";
  return [name, ...name.split(" ")].some((word) => knownPlaces.has(word.toLowerCase()));
}

function lastingPlan(lemma: string, what: string): boolean {
  if (
    /\b(?:it|that|this|them|these|those|you|your|there|here|crazy|through|well|insane|better|worse|ready|forward|later|on with)\b/i.test(
      what,
    )
  )
    return false;
  if (/^(?:visit|attend|join|marry|buy|take) (?:at|in|on|with|from|for|to|and)\b/.test(what)) return false;
  if (lemma === "move" && /^move (?:on|forward|ahead|past|the)\b/.test(what)) return false;
  if (lemma === "have")
    return (
      /^have (?:an?|our|my|another|twins?|triplets)\b(?:.*\b(?:baby|child|boy|girl|twins|triplets)\b)?.*$/.test(
        what,
      ) && /\b(?:baby|child|boy|girl|twins|triplets|surgery|operation)\b/.test(what)
    );
  if (lemma === "get") return /^get (?:married|divorced|an? (?:dog|cat|puppy|kitten|car|tattoo))/.test(what);
  if (lemma === "take")
    return /^take (?:an? )?(?:\p{L}+ )?(?:class|course|exam|trip|vacation|lessons)/iu.test(what);
  if (lemma === "start")
    return /^start (?:at\b|working|(?:\p{L}+ )?school\b|college|university|as\b|an? (?:[\p{L}\d-]+ ){0,3}(?:job|course|class|program|business|degree|internship|company|phd|workshop|diet|position|role|school|bootcamp|residency|podcast|blog|family)\b|my (?:new |own |first )?(?:job|internship|business|company|degree|phd|master|studies|residency|training|position|role|course))/u.test(
      what,
    );
  if (lemma === "go")
    return /^go (?:to|on an?|on (?:holiday|vacation)|back to|hiking|camping|skiing|surfing|fishing|sailing|diving|climbing|abroad)\b/.test(
      what,
    );
  if (/^(?:sell|replace)$/.test(lemma)) return /^(?:sell|replace) (?:my|our) /.test(what);
  if (lemma === "run") return /^run (?:an?|the|my|another) /.test(what);
  if (lemma === "leave") return /^leave for\b/.test(what);
  return true;
}

const aimed =
  /^(?:be\b|reach|give (?:my|our|kids|children)|read \d+|walk|drink|eat|sleep|exercise|pay off|reduce my|get into|make (?:my|a living)|earn|speak|be able)\b/i;
const aims =
  /^(?:main |biggest |ultimate |long-term |short-term |personal |current |new )?(?:goal|dream|aim|plan|ambition|resolution|new year's resolution)$/i;

/** "My goal is to run a half marathon". */
function aim({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { phrase: verb } = clause;
  if (
    subject.kind !== "attribute" ||
    subject.impersonal === true ||
    !aims.test(subject.attribute ?? "") ||
    verb.mode !== "holds" ||
    verb.negated
  )
    return [];
  const lead = /^\s+to\b/i.exec(rest)?.[0].length;
  const [object] = lead === undefined ? [] : deed(rest.slice(lead));
  if (/\bplan$/.test(subject.attribute ?? "") && object !== undefined && changesLife(object))
    return [
      {
        ...{ subject: subject.text, predicate: "plans_to", object: object.text.replace(/ first$/, "") },
        ...{ timing: "plan", reason: "plan" },
      },
    ];
  const far = /dream|ambition|resolution|ultimate|long-term|personal/i.test(subject.attribute ?? "");
  return object === undefined ||
    vagueDeed.test(object.text) ||
    !(far
      ? !technical.test(object.text)
      : changesLife(object) || (aimed.test(object.text) && !technical.test(object.text)))
    ? []
    : [{ subject: subject.text, predicate: "goal", object: object.text, timing: "plan", reason: "goal" }];
}

/** "Dune", "Pride and Prejudice": a title by its capitals or its quotation marks. */
function title(text: string): readonly Piece[] {
  const match =
    /^\s+["“']?(\p{Lu}[\p{L}\d'’:-]*(?:\s+(?:(?:of|the|and|or|in|a|to|on|for)\s+)*\p{Lu}[\p{L}\d'’:-]*)*)["”']?/u.exec(
      text,
    );
  const [whole = "", name = ""] = match ?? [];
  return name === "" || /^(?:The|A|I|It)$/.test(name) ? [] : [{ text: name, at: whole.indexOf(name) }];
}
