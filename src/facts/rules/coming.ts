import { knownPlaces } from "../../text/name-words.ts";
import { isClear, wish } from "./deeds.ts";
import { deed } from "./objects.ts";
import type { Draft, RuleContext } from "./rule.ts";
import { wordSet } from "./words.ts";

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
export function coming(context: RuleContext): readonly Draft[] {
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
