import { knownPlaces } from "../../text/name-words.ts";
import { deed, type Piece, phrase, place, things } from "./objects.ts";
import {
  type Draft,
  ending,
  event,
  lasting,
  now,
  ongoing,
  type Rule,
  type RuleContext,
  verbRule,
} from "./rule.ts";
import { verbOfIng } from "./verb-forms.ts";
import { wordSet } from "./words.ts";

// Deeds of this conversation and of the next minute: "I want to know", "I plan to check it out".
const passing =
  /^(?:be|know|see|hear|get|have|thank|talk|discuss|understand|share|say|point|mention|add|confirm|ask|find|make|check|do|let|keep|look|use|try|focus|start (?:by|with)|go (?:with|through|over|for|ahead|back|home)|give|take|set|put|think|tell|show|include|ensure|avoid|help|improve|work|learn more|explore (?:the|this|that|how)|incorporate|implement|create|follow|consider|continue|review|send|update|prepare|compare|balance|practice|figure|come|feel|reach|stay|spend|stick|maintain|increase|reduce|optimi[sz]e|highlight|clarify|address|handle|schedule|start|test|deploy|prioriti[sz]e|manage|better|need|want|bring|call|die|cry|believe|like|respond|provide|apply (?:this|these|those|the)|be able)\b/i;

// What changes a life, or is done on one day of it.
const lifelong =
  /^(?:be(?:come)? an?\b|learn(?! (?:more|about|how)\b)|visit\b|travel\b|become\b|own\b|live\b|move\b|relocate\b|emigrate\b|retire\b|study\b|run (?:an?|my|the|for|another)\b|write (?:an?|my|another) (?:[\p{L}'’-]+ )?(?:book|novel|memoir|screenplay|thesis)|climb\b|adopt\b|build (?:a|my own) (?:\p{L}+ )?(?:house|home|cabin|boat|shed|treehouse|business|family|company|pc|computer)|lose (?:weight|\d)|gain (?:weight|\d)|go (?:part[- ]time|freelance|solo|to|on|back to (?:school|college|university)|hiking|camping|skiing|surfing|abroad|vegan|vegetarian|skydiving|diving|fishing|sailing)\b|buy\b|get (?:married|divorced|engaged|fit|in shape|an? (?:new )?(?:dog|cat|puppy|kitten|car|tattoo|job|bike|degree|phd|master)|my (?:license|driving|degree|phd|master\b|pilot|(?:\p{L}+ )?licen[cs]e))|start (?:an?|my|our|working|college|university|school|(?:nursing|medical|law|art|night|grad|culinary|drama) school|a business)\b|walk (?:the \p{Lu}|across|from)|learn (?:how )?to (?!use|do\b|make|be\b|get|implement|create|build|set|handle|manage|fix|solve|add|improve|better|write (?:better|clean))|open (?:an?|my|our)|quit\b|have (?:kids|children|a baby|a family|another)|save\b|publish\b|hike\b|sail\b|cycle\b|swim\b|complete (?:an?|my)|finish (?:my|writing)|graduate\b|join\b|take (?:an? (?!look|moment|step|minute|second|break|closer|peek|nap|walk|photo|picture|seat|chance)|up\b)|switch\b|apply (?:for|to)\b|sell (?:my|our|the)|renovate\b|launch\b|teach\b|work (?:at|as|in|abroad|for)|enrol|enroll|volunteer\b|qualify (?:as|for)\b|train (?:as|to be)\b|attend\b|host\b|propose\b|marry\b|play\b|master\b|pass (?:the|my)|compete\b|celebrate\b|explore (?:\p{Lu}|the world)|fly\b|drive\b|ski\b|see (?:the northern lights|\p{Lu})|stop\b|give up|cut (?:back|down)|pursue\b|specialize|specialise|plant\b|road[- ]?trip|backpack|(?:cook|eat|drink|read|exercise|walk|sleep|run|cycle|spend) (?:more|less|fewer)\b|start (?!thinking|planning|tracking|preparing|brainstorming|looking|working|making|using|writing|doing|getting|taking|building|with)\p{L}+ing\b|do (?:an? )?(?:\p{L}+ )?(?:phd|masters?|mba|apprenticeship|degree|medicine|law|nursing|midwifery|engineering|teaching|teacher training|triathlon|marathon|(?:half|full) marathon)\b|get (?:better|good) at\b|get into \p{L}|try (?!to\b|the\b|this\b|out\b|an?\b|it\b|making\b|finding\b|using\b|something|some\b|new\b|different|again|another|other|adding)\p{L}{3,}|pass\b|emigrate\b|renew\b|switch to an? \p{L}|pay off|retrain|specialise|coach\b|breed\b|keep (?:bees|chickens|hens|ducks|goats)|grow (?:my own|our own|\p{Ll}+s\b)|convert (?:my|our|the|a)|restore (?:an?|my)|propose to\b|try for a baby)/u;

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
    !/\s(?:to|with|for|at|in|on|of|about|from)$/.test(text) &&
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
      verbs: "want wanna",
      after: /(?:\s+to\b)?/i,
      predicate: "wants_to",
      object: deed,
      timing: "plan",
      accepts: wish,
    },
    effect: ({ phrase: { mode, negated, progressive, perfect, habitual } }) =>
      (mode === "holds" || (mode === "was" && perfect && habitual)) && !progressive
        ? negated
          ? { affirmed: false }
          : {}
        : undefined,
    when: ({ clause: { phrase: verb }, rest }) => verb.lemma === "wanna" || /^\s+to\b/i.test(rest),
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
  { verbs: [""], read: coming },
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
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "preparing for",
      verbs: "prepare prep study revise cram learn",
      after: /\s+for\b/i,
      predicate: "preparing_for",
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) =>
      (/\b(?:exams?|finals|gcses|a-levels|a levels|sat|gre|gmat|ielts|toefl|lsat|mcat|upsc|gate|jee|neet|bar|boards|certification|marathon|triathlon|race|interview|viva|defen[cs]e|audition|recital|test)$/i.test(
        text,
      ) ||
        /^\p{Lu}(?:\p{L}*\p{Lu})+(?: \S+)?$/u.test(text)) &&
      !/^(?:exams?|finals|race|boards|tests?|interview|defen[cs]e|recital|audition)$/i.test(text) &&
      text.split(/\s+/).length <= 5,
  }),
  verbRule({
    // "I'm working towards my Grade 8".
    ...{
      name: "working towards",
      verbs: "work",
      after: /\s+towards?\b/i,
      predicate: "preparing_for",
      object: goal,
      effect: ongoing,
    },
    ...{ timing: "none" },
    accepts: ({ text }) =>
      /^\p{Lu}\S*(?: \d)?$|\b(?:exam|exams|certification|certificate|qualification|licen[cs]e|grade \d|degree|diploma)$/iu.test(
        text,
      ) && text.split(/\s+/).length <= 5,
  }),
  {
    ...verbRule({
      // "I gave up on running a marathon".
      ...{ name: "gave up on", verbs: "give", predicate: "plans_to", object: dreamt, timing: "none" },
      after: /\s+on\b/i,
      effect: ending,
    }),
    verbs: ["give up"],
  },
  verbRule({
    ...{
      name: "saving for",
      verbs: "save saving",
      after: /\s+(?:up\s+|money\s+)?(?:for|to buy)\b/i,
      predicate: "saving_for",
      object: goal,
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
      object: goal,
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
      verbs: "work write",
      after: /(?:\s+on\b)?/i,
      predicate: "working_on",
      object: piece,
      timing: "none",
    },
    effect: lasting,
    when: ({ clause: { phrase: verb }, rest }) =>
      verb.progressive &&
      verb.mode === "holds" &&
      !verb.negated &&
      (verb.lemma === "work" ? /^\s+on\s+(?:an?|my|our)\b/i : /^\s+(?:an?|my|our)\b/i).test(rest),
    accepts: ({ text }, { clause: { phrase: verb } }) =>
      /\b(?:book|novel|novella|album|thesis|dissertation|startup|app|game|website|blog|podcast|screenplay|script|film|movie|documentary|memoir|song|mural|painting|quilt|phd|(?:radio|stage|one-act) play|cookbook|comic|musical|opera|zine|sculpture|collection of (?:poems|poetry|stories|essays)|(?:poetry|short story) collection)\b/i.test(
        text,
      ) &&
      (verb.lemma === "work" || !/\b(?:script|app|game|website|blog|song)\b/i.test(text)) &&
      text.split(/\s+/).length <= 6,
  }),
];

/** What one trains or saves for: what stands after a comma says more of it. */
function goal(text: string): readonly Piece[] {
  return phrase(
    text.replace(
      /(?:,|\s(?:on (?:\d|the \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|by|with|next|this|and|right|roughly|in (?:early |late |mid-?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter))\s).*$/isu,
      "",
    ),
  );
}

/** "Radio play about lighthouse keepers" of one for a call. */
function piece(text: string): readonly Piece[] {
  return things(text.replace(/(?:,|\s(?:for|with|to|on|at|in|and i|that|which)\s).*$/isu, ""));
}

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

// What comes of these is an errand, or nothing that anybody does on purpose.
const errands =
  wordSet(`be turn let know see check tell ask call send talk think look feel need use show give say write come keep stay wait update
  report provide follow post share add bring pick order review discuss meet want like love hope plan wish expect try work do make put
  read print miss find understand believe learn focus continue remember forget consider prepare spend create include implement
  present submit email message speak help eat drink sleep handle set finish complete save pay watch listen wear cook bake
  receive struggle lose fail die worry suffer wonder deal refer cost happen fall hear stick ensure explore integrate test aim
  await juggle chat gather hit click schedule coordinate reach skip advance start go get have move run visit ask arrive turn train study prep revise drop propose initiate play`);
const dayAhead =
  /\b(?:next|upcoming|coming|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|christmas|easter|\d{1,2}(?:st|nd|rd|th)|in (?:a|two|three|\d+) (?:days?|weeks?|months?|years?)|this (?:year|october|autumn|fall|spring|summer|winter))\b/i;

/** "I'm dyeing my hair on Thursday": whatever is said to come, on a day that is named. */
function dated(
  { clause: { phrase: verb, rest: whole }, subject, dates }: RuleContext,
  what: string,
): boolean {
  return (
    (!errands.has(verb.lemma) ||
      /^(?:try for a baby|stay (?:at|in) \p{Lu}|do (?:\p{L}+ )?\p{L}+ing\b|do the \p{Lu}|do (?:an?|my|the) (?:\p{L}+ )?(?:course|exam|test|race|marathon|internship|training|triathlon|masters|phd))/u.test(
        what,
      )) &&
    (subject.kind === "user" || subject.kind === "person" || subject.kind === "name") &&
    (dayAhead.test(whole) || (verb.mode === "will" && dates().length > 0)) &&
    dates()
      .slice(0, 1)
      .every(
        ({ bound, words }) =>
          bound !== "since" && bound !== "until" && !/\b(?:last|ago|yesterday|today)\b/i.test(words),
      ) &&
    /^\p{L}+ (?:\p{L}+ )?(?:(?:an?|my|our|the|his|her|two|three|into|to|for|at|over|with)(?!\p{Ll})|\p{Lu})/u.test(
      what,
    ) &&
    isClear(what)
  );
}

const starts = /^(?:start|fly|graduate|retire)$/;

/** "I'm moving to Berlin in June", "we're going to Greece next month", "I will visit Rome in May": with a date or a place. */
function coming(context: RuleContext): readonly Draft[] {
  const { clause, subject, sentence } = context;
  const { phrase: verb } = clause;
  // Most clauses say nothing of what comes, and need not be read for dates.
  const present = verb.mode === "holds" && !verb.perfect && !verb.habitual && !verb.begun;
  if (verb.mode !== "will" && !(present && (verb.progressive || starts.test(verb.lemma)))) return [];
  const { rest, dates } = context;
  // "I start my new job on Monday".
  const begins =
    starts.test(verb.lemma) &&
    !verb.progressive &&
    verb.mode === "holds" &&
    !verb.habitual &&
    !verb.perfect &&
    !verb.begun &&
    (dates().length > 0 || onDay.test(rest));
  const ahead =
    verb.mode === "will" || begins || (verb.progressive && verb.mode === "holds" && !verb.perfect);
  const intended =
    verb.mode === "will" &&
    /\b(?:going to|gonna|about to|due to|set to)\s+\S+$/i.test(sentence.slice(0, clause.restAt));
  const off = verb.negated && /\b(?:after all|any ?more|any longer)\b/i.test(clause.rest);
  if (
    !ahead ||
    (verb.negated && !off) ||
    verb.habitual ||
    subject.kind === "attribute" ||
    subject.kind === "pet"
  )
    return [];
  // A feast is a date, too.
  const said = (/^(?:host|celebrate)$/.test(verb.lemma) ? clause.rest : rest).replace(onDay, "");
  const [object] = deed(said);
  if (object === undefined && !/^(?:graduate|retire|marry)$/.test(verb.lemma)) return [];
  const what = `${verb.lemma}${object === undefined ? "" : ` ${said.slice(firstLetter(said), object.at + object.text.length)}`}`;
  const day =
    dates().length > 0 ||
    onDay.test(rest) ||
    /\b(?:over|at|for) (?:the )?(?:easter|christmas|new year|holidays|summer|half term|thanksgiving|diwali|eid)\b|\b(?:in|this|next) (?:the )?(?:spring|summer|autumn|fall|winter)\b/i.test(
      clause.rest,
    );
  const toPlace = placeIn(rest);
  const sure = /^(?:move|relocate)$/.test(verb.lemma) ? toPlace || day : day;
  const trip = /^(?:go|travel|fly|visit|drive)$/.test(verb.lemma) && toPlace;
  // "I'm visiting Kyoto" may be of today, "to Costco" is an errand.
  if (/^(?:fly|drive|go|travel) (?:back )?home\b/.test(what)) return [];
  // What is done over and over is no plan.
  if (/\b(?:every|each)\s/i.test(clause.rest) && !starts.test(verb.lemma)) return [];
  // "Go to ask him" is what somebody asks.
  if (
    /^go to (?:be|have|get|do|try|start|make|see|take|a?n? ?bed|sleep|work|(?!the\b|an?\b|my\b|our\b)\p{Ll}+ (?:him|her|them|me|us|it|my|the|an?|his|their|our|this|that)\b)/u.test(
      what,
    )
  )
    return [];
  if (verb.lemma === "visit" && verb.progressive && !day) return [];
  if (verb.lemma === "go" && !day && !isTown(rest)) return [];
  // "I'm applying for jobs", "I'm going to start a podcast": said without a day, of what takes long.
  const far =
    (verb.progressive && /^(?:move|switch|migrate|change) from \p{Lu}\S* to \p{Lu}\S*$/u.test(what)) ||
    (verb.lemma === "apply" && verb.progressive && /^apply (?:for|to)\b/.test(what) && isClear(what)) ||
    (intended &&
      verb.lemma !== "be" &&
      !/\bnow\b/i.test(clause.rest) &&
      subject.kind !== "name" &&
      (/^(?:start|take|try|save) /.test(what) ? lastingPlan(verb.lemma, what) : wish({ text: what, at: 0 })));
  // "I think I'll go over it".
  if (clause.confidence < 1 && !far) return [];
  if (!((sure || trip) && lastingPlan(verb.lemma, what)) && !dated(context, what) && !far) return [];
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

// "From 1 May", "on the 8th".
const onDay =
  /\s+(?:from|on|by)\s+(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?|the (?:first|second|third|fourth|fifth|last))(?=\s|$|[.,!]).*$/isu;

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

// What is read of these without a look at the day, or in few forms.
const travels = wordSet(
  "go move travel fly visit start attend run get leave relocate take join study drive graduate retire marry buy have sell adopt renovate replace",
);

function lastingPlan(lemma: string, what: string): boolean {
  if (!travels.has(lemma)) return false;
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
      /^have (?:an?|our|my|another|twins?|triplets)\b/.test(what) &&
      /\b(?:baby|child|boy|girl|twins|triplets|surgery|operation|interview|exam|party|barbecue|bbq|picnic|baby shower|wedding|scan|mri|biopsy)\b/i.test(
        what,
      )
    );
  if (lemma === "get")
    return /^get (?:married|divorced|engaged|braces|lasik|an? (?:\p{Ll}+ )?(?:dog|cat|puppy|kitten|car|tattoo|root canal|mri|scan)|my (?:hair|braces|wisdom|results|degree|licen[cs]e|cast|stitches|tonsils|tattoo))/u.test(
      what,
    );
  if (lemma === "take")
    return /^take (?:an? )?(?:\p{L}+ )?(?:class|course|exam|trip|vacation|lessons)/iu.test(what);
  if (lemma === "start")
    return /^start (?:at\b|working|(?:\p{L}+ )?school\b|college|university|as\b|an? (?:[\p{L}\d-]+ ){0,3}(?:job|course|class|program|business|degree|internship|apprenticeship|traineeship|placement|training|company|phd|masters?|workshop|diet|position|role|school|bootcamp|residency|podcast|blog|family)\b|my (?:new |own |first )?(?:job|internship|apprenticeship|business|company|degree|phd|master|studies|residency|training|position|role|course))/u.test(
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
