import { knownPlaces } from "../../text/name-words.ts";
import { type Piece, place, places } from "./objects.ts";
import {
  type Draft,
  ending,
  event,
  lasting,
  now,
  once,
  past,
  type Rule,
  type RuleContext,
  state,
  verbRule,
} from "./rule.ts";
import { isTool } from "./skills.ts";

/** Where somebody lives, comes from and has been. */
export const placeRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "lives in",
      verbs: "live reside",
      after:
        /\s+(?:happily |here |alone |together |now |back |up |down |over |out |on my own |by myself )*(?:with (?:my|our|an?|two|three|some|his|her) \p{L}+(?: \p{L}+)?(?: and (?:my|our|an?|two|three|some|his|her) \p{L}+(?: \p{L}+)?)? )?(?:in an? (?:[\p{L}\d-]+ ){0,3}(?:apartment|flat|house|condo|studio|cottage|loft|village|town|suburb) )?(?:(?:above|over|next to|opposite|behind) an? \p{L}+(?: \p{L}+)? )?(?:just |right )?(?:in|near|at|outside|not far from)\b/iu,
    },
    ...{ predicate: "lives_in", object: place, effect: state },
    when: ({ rest }) =>
      !/\sin an? (?:[\p{L}-]+ ){0,3}(?:village|town|suburb) (?:just |right )?(?:near|outside)\s/iu.test(rest),
  }),
  verbRule({
    // "I live in a tiny village near Graz".
    ...{
      name: "lives near",
      verbs: "live",
      after: /\s+(?:alone |now |here )?(?:in|on)\b/i,
      predicate: "lives_in",
      object: nearby,
      effect: state,
    },
  }),
  verbRule({
    // "I stay in Fantoft", as one who lives there says in many places.
    ...{
      name: "stays in",
      verbs: "stay",
      after: /\s+(?:in|at)\b(?:\s+(?:an?|the)\s+(?:[\p{L}-]+\s+){1,3}?(?:in|near)\b)?/iu,
      predicate: "lives_in",
      object: place,
    },
    effect: ({ phrase: { mode, negated, progressive, perfect, habitual, form } }) =>
      mode === "holds" && !negated && !progressive && !perfect && !habitual && form === "base"
        ? {}
        : undefined,
    when: ({ dates, whole }) =>
      dates().length === 0 &&
      !/\b(?:when|whenever|if|hotel|hostel|airbnb|for (?:a|the|two|three)|every|usually|always|until|till)\b/i.test(
        whole,
      ),
    who: "user",
  }),
  verbRule({
    // "I got my own studio in Utrecht", "we found a flat in Leith".
    ...{
      name: "has a home in",
      verbs: "get find rent",
      predicate: "lives_in",
      object: place,
      effect: event,
      who: "user",
    },
    after:
      /\s+(?:an?|our|my)(?: own)? (?:[\p{L}\d-]+ ){0,2}?(?:apartment|flat|house|studio|room|place|cottage|condo|loft|flatshare) (?:in|near)\b/iu,
    accepts: ({ text }) => !/^(?:Building|Block|Room|Hall|Tower|Floor|Level|House)\b/.test(text),
  }),
  verbRule({
    ...{
      name: "rents in",
      verbs: "rent share",
      after:
        /\s+(?:an?|our|my) (?:[\p{L}\d-]+ ){0,3}?(?:apartment|flat|house|studio|room|place|bedsit|cottage|condo|loft) (?:in|near)\b|\s+in\b/iu,
    },
    ...{ predicate: "lives_in", object: place, effect: lasting },
  }),
  verbRule({
    // "Used to live in Bristol, now I'm in Cardiff".
    ...{
      name: "is in now",
      verbs: "be",
      after: /\s+in\b/i,
      predicate: "lives_in",
      object: place,
      effect: now,
    },
    when: ({ clause: { start, end, phrase }, sentence }) =>
      !phrase.progressive &&
      /\bnow\b/i.test(sentence.slice(start, end)) &&
      /\b(?:lived?|living|moved|left|grew up|born|from)\b/i.test(sentence.slice(0, start)),
  }),
  verbRule({
    // "Grew up in Soweto, now in Rotterdam".
    ...{
      name: "now in",
      verbs: "be",
      after: /\s+(?:now|currently) (?:in|near)\b/i,
      predicate: "lives_in",
      object: place,
      effect: now,
    },
  }),
  verbRule({
    ...{
      name: "based in",
      verbs: "be",
      after: /\s+(?:currently |now )?(?:based|located|living|settled)\s+(?:in|near|out of)\b/i,
    },
    ...{ predicate: "lives_in", object: place, effect: state },
  }),
  verbRule({
    ...{ name: "been in", verbs: "be", after: /\s+(?:living )?in\b/i, predicate: "lives_in", object: place },
    effect: ({ phrase: { perfect, mode, negated } }) =>
      perfect && mode === "holds" && !negated ? {} : undefined,
    when: ({ whole }) => /\b(?:for|since)\b/i.test(whole),
  }),
  verbRule({
    ...{ name: "born in", verbs: "be", after: /\s+born(?: and (?:raised|bred))?\s+in\b/i, timing: "none" },
    ...{
      predicate: "born_in",
      object: place,
      effect: (clause) =>
        past(clause) ??
        (clause.phrase.mode === "was" && clause.phrase.negated ? { affirmed: false } : undefined),
    },
  }),
  verbRule({
    ...{
      name: "grew up in",
      verbs: "grow",
      after: /\s+up\s+(?:on an? [\p{L} ]{3,20}? |in an? [\p{L} ]{3,25}? )?(?:in|near|outside)\b/iu,
      timing: "none",
    },
    ...{ predicate: "grew_up_in", object: place, effect: event },
  }),
  verbRule({
    ...{
      name: "raised in",
      verbs: "be",
      after: /\s+(?:born and )?(?:raised|reared|brought up|bred)\s+(?:in|on)\b/i,
      timing: "none",
    },
    ...{
      predicate: "grew_up_in",
      object: place,
      effect: past,
    },
  }),
  verbRule({
    ...{ name: "from", verbs: "be come", after: /\s+(?:originally |actually )?from\b/i, timing: "none" },
    ...{
      predicate: "from",
      object: place,
      effect: ({ phrase }) =>
        phrase.mode === "holds" && !phrase.progressive && !phrase.able
          ? phrase.negated
            ? { affirmed: false }
            : {}
          : undefined,
    },
    // "From Generation X" and "from the support team" are no places.
    accepts: ({ text }, { lowerCase }) =>
      !/^(?:Generation|Gen)\b/.test(text) && (!lowerCase || !/ (?:team|department)/.test(text)),
  }),
  verbRule({
    ...{ name: "from near", verbs: "be come", after: /\s+(?:originally |actually )?from\b/i, timing: "none" },
    ...{ predicate: "from", object: nearby, effect: now },
  }),
  verbRule({
    ...{
      name: "a person living in",
      verbs: "be",
      after:
        /\s+an?\s+(?:(?!of\b|for\b|about\b|with\b)[\p{L}\d-]+\s+){1,4}?(?:living|based|residing)\s+in\b/iu,
      predicate: "lives_in",
      object: place,
      effect: now,
    },
  }),
  verbRule({
    ...{
      name: "a time in",
      verbs: "have spend",
      after:
        /\s+(?:an?|our|my|the)\s+(?:[\p{L}-]+\s+){0,3}?(?:days?|weeks?|weekends?|months?|summer|winter|trip|holidays?|vacation|honeymoon|time|break)\s+(?:in|on|to|around|at)\b/iu,
      predicate: "visited",
      object: places,
      effect: event,
      timing: "event",
    },
    // "The LGBT pride event" is no place.
    accepts: ({ text, at }, { rest }) =>
      !/^(?:[A-Z]{3,}|University|College|School|Hospital)/.test(text) &&
      !/^\s+\p{Ll}+(?<!with|and|but|for|in|last|this|where|when|because|before|after|as|while|since|together|so|on)\b/u.test(
        rest.slice(at + text.length),
      ),
  }),
  { verbs: ["move", "relocate", "shift", "emigrate", "immigrate", "arrive"], read: moved },
  verbRule({
    // "I got back from Lisbon yesterday".
    ...{
      name: "back from",
      verbs: "get come return fly be",
      predicate: "visited",
      object: places,
      timing: "event",
    },
    after:
      /\s+(?:just |home |recently )?(?:back\s+)?from(?:\s+(?:an?|our|my|two|three|the)\s+(?:[\p{L}-]+\s+){0,3}?(?:in|to|around|at)\b)?/iu,
    effect: ({ phrase: { lemma, mode, negated } }) =>
      !negated && (lemma === "be" ? mode === "holds" : mode === "was") ? {} : undefined,
    when: ({ rest }) => /^\s+(?:just |home |recently )?back\s+from\b/i.test(rest),
    accepts: ({ text, at }, { rest }) =>
      knownPlaces.has(text.toLowerCase()) || !/\bthe\s[^,]*$/i.test(rest.slice(0, at)),
  }),
  verbRule({
    // "I'm in Bali for the month", "in Porto until Sunday".
    ...{
      name: "is in for now",
      verbs: "be",
      after: /\s+(?:currently |now |just )?in\b/i,
      predicate: "staying_in",
      object: place,
      effect: now,
    },
    when: ({ clause: { phrase: verb, rest } }) =>
      !verb.perfect &&
      !verb.progressive &&
      /\bfor (?:the|an?|two|three|\d+) (?:[\p{L}-]+ )?(?:weeks|months?|summer|winter|semester)(?=\s*(?:[.,;!)]|$|\p{Ll}))|\b(?:until|till)\b/iu.test(
        rest,
      ),
    accepts: ({ text }, { lowerCase }) =>
      /^\p{Lu}/u.test(text) ||
      knownPlaces.has(text.toLowerCase()) ||
      (lowerCase &&
        !/^(?:awe|touch|bed|pain|love|limbo|trouble|hospital|quarantine|charge|class|jail|prison|office|mourning|recovery|therapy)$/.test(
          text,
        )),
  }),
  verbRule({
    ...{
      name: "settled in",
      verbs: "settle",
      after: /\s+(?:down )?in\b/i,
      predicate: "lives_in",
      object: place,
      effect: event,
    },
  }),
  verbRule({
    ...{ name: "left", verbs: "leave", predicate: "lives_in", object: place, effect: ending },
    // "I left Kharkiv in 2022": a whole year is named of what is for good.
    when: ({ rest, dates }) =>
      /^\s+(?:\p{Lu}\S*\s+)+for good\b/u.test(rest) ||
      (dates()[0]?.precision === "year" &&
        /^\s+\p{Lu}\S+\s*$/u.test(rest) &&
        knownPlaces.has(rest.trim().toLowerCase())),
  }),
  verbRule({
    ...{
      name: "visited",
      verbs: "visit",
      predicate: "visited",
      object: places,
      effect: event,
      timing: "event",
    },
    // "Google's headquarters".
    accepts: ({ text, at }, { rest }) => !/^['’]s?\b/.test(rest.slice(at + text.length)),
  }),
  verbRule({
    ...{
      name: "went to",
      verbs: "go travel fly drive",
      after:
        /\s+(?:back |on (?:a )?(?:vacation|holiday|trip) )?to\b|\s+(?:camping|hiking|skiing|surfing|diving|snorkelling|snorkeling|backpacking|sailing|climbing|trekking|fishing|cycling|kayaking) (?:in|at|around|through|near)\b/i,
    },
    ...{ predicate: "visited", object: places, effect: event, timing: "event" },
    accepts: ({ text, at }, { clause, rest }) =>
      !/\b(?:University|College|School|Hospital|Church|Club|Gym|Bank|Store|Market|Academy|Arena|Center|Centre|Cafe|Café|Mall|Theater|Theatre)\b/.test(
        text,
      ) &&
      (clause.phrase.lemma !== "go" ||
        /^\s+\p{L}+ing\b/u.test(rest) ||
        isTown(text, rest.slice(at + text.length), rest.slice(0, at))),
  }),
  verbRule({
    ...{
      name: "was in",
      verbs: "be",
      after: /\s+in\b/i,
      predicate: "visited",
      object: places,
      timing: "event",
    },
    effect: once,
    when: ({ dates, whole }) =>
      dates().length > 0 ||
      /\bfor (?:the|an?|our) (?:[\p{L}-]+ )?(?:weekend|week|holidays?|days|month|summer|conference|wedding|honeymoon)\b/iu.test(
        whole,
      ),
  }),
  { verbs: ["be"], read: bornIn },
  { verbs: ["spend"], read: spentIn },
  verbRule({
    // "We honeymooned in Sri Lanka".
    ...{
      name: "travelled in",
      verbs: "honeymoon backpack trek travel",
      predicate: "visited",
      object: places,
      effect: event,
    },
    ...{ after: /\s+(?:in|around|through|across)\b/i, timing: "event" },
  }),
  verbRule({
    ...{
      name: "spent time in",
      verbs: "spend",
      predicate: "visited",
      object: places,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) => !isTool(text),
    after: /\s+(?:[\p{L}\d-]+\s+){1,4}?in\b/iu,
  }),
  verbRule({
    ...{
      name: "been to",
      verbs: "be",
      after: /\s+to\b/i,
      predicate: "visited",
      object: places,
      timing: "event",
    },
    effect: ({ phrase }) =>
      phrase.perfect && phrase.mode !== "ended" ? (phrase.negated ? { affirmed: false } : {}) : undefined,
    when: ({ rest }) =>
      !/^\s+to\s+the\s+(?!(?:Netherlands|US|USA|UK|UAE|Philippines|Bahamas|Maldives|Alps|Azores|Dolomites|Caribbean|United)\b)/.test(
        rest,
      ),
  }),
  verbRule({
    ...{
      name: "staying in",
      verbs: "stay visit",
      after:
        /(?:\s+(?:in|at|with(?=\s+(?:my|our|some|friends|family)\b))\b(?:\s+(?:(?:my|our|an?|the|some) )?\p{L}+(?:['’]s?)?(?: (?:place|house|flat|apartment))? in\b)?)?/iu,
      predicate: "staying_in",
      object: place,
    },
    effect: ({ phrase }) =>
      phrase.progressive && phrase.mode === "holds" && !phrase.negated && !phrase.perfect ? {} : undefined,
    when: ({ dates }) => dates().every(({ bound }) => bound === "until"),
  }),
  verbRule({
    ...{
      name: "works from",
      verbs: "work",
      after: /\s+(?:remotely )?from\b/i,
      predicate: "works_from",
      object: (text, options) => {
        const home = /^\s+(home|the office)\b/i.exec(text)?.[1];
        return home === undefined
          ? place(text, options)
          : [{ text: home.replace(/^the /i, ""), at: text.search(/\S/) }];
      },
      effect: lasting,
    },
    // What is so on some days is a habit.
    when: ({ clause: { lead, rest } }) =>
      !/\b(?:on|every|each|some|once|twice|days|today|tomorrow|tonight|this)\b/i.test(
        `${lead} ${rest.split(",")[0]}`,
      ),
  }),
];

/** "A tiny village near Cluj". */
function nearby(text: string): readonly Piece[] {
  const match =
    /^\s+((?:an?\s+|the\s+|)(?:[\p{L}-]+\s+){0,2}?(?:village|town|city|island|suburb|farm|region|part|corner|coast)\s+(?:just\s+)?(?:near|in|outside|of|off|on|close to|north of|south of|east of|west of)\s+(?:the\s+)?\p{Lu}[\p{L}\p{M}'’-]+(?:\s+\p{Lu}[\p{L}\p{M}'’-]+)*)/u.exec(
      text,
    );
  const [whole = "", found = ""] = match ?? [];
  const object = found.replace(/^(?:an?|the)\s+/, "");
  return object === "" ? [] : [{ text: object, at: whole.length - object.length }];
}

/** Whether a name one "went to" is that of a town or a country, and not of a shop or a band. */
function isTown(name: string, after: string, before: string): boolean {
  const parts = name.toLowerCase().split(/,\s*|\s+/);
  return (
    knownPlaces.has(name.toLowerCase()) ||
    parts.some((part) => knownPlaces.has(part)) ||
    /\b(?:vacation|holiday|trip)\b/i.test(before) ||
    (!/\bthe\s+$/i.test(before) &&
      /^,\s+(?:\p{Lu}|an? \S+ (?:town|city|village|country|island))/u.test(after))
  );
}

/** "I was born in 1990 in Lagos": the place after the date. */
function bornIn({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  const lead = /^\s+born\s+(?:in|on)\s+[\p{L}\d ,]{3,25}?\d,?\s+in\b/iu.exec(whole)?.[0].length;
  if (lead === undefined || phrase.mode !== "was" || phrase.negated || subject.kind === "attribute")
    return [];
  return place(whole.slice(lead), { lowerCase: false }).map(({ text }) => ({
    ...{ subject: subject.text, predicate: "born_in", object: text, timing: "none", reason: "born in" },
  }));
}

function moved(context: RuleContext): readonly Draft[] {
  const { clause, subject, lowerCase, sentence } = context;
  const { phrase } = clause;
  if (subject.kind === "attribute" || phrase.negated || phrase.mode !== "was" || phrase.progressive)
    return [];
  const { rest } = context;
  // "When I was twelve we moved to Toronto" tells of then.
  if (/^\s*(?:when|back when)\s+(?:i|we)\s+(?:was|were)\b/i.test(sentence)) return [];
  const base = { subject: subject.text, predicate: "lives_in", timing: "state" } as const;
  const to =
    /^(?:\s+(?:back|out|away|here|over|down|up|all the way|in together))?\s+(?:(?:from|out of)\b(.{2,40}?)\s+(?:and )?)?(?:to|into|back to)\b(.*)$/isu.exec(
      rest,
    );
  // "I moved our payroll from Gusto to Rippling" moves something else.
  if (
    to === null &&
    /^\s+(?:my|our|the|all|everything|an?|some|it|this|that|his|her)\b/i.test(rest) &&
    !/^\s+(?:my|our) (?:family|stuff|things)\b/i.test(rest)
  )
    return [];
  const within = /^\s+(?:back )?in with (?:my|his|her|our) \p{L}+ in\b(.*)$/isu.exec(rest)?.[1];
  // "To a smaller house in Ghent".
  const [target] =
    within !== undefined
      ? place(within, { lowerCase })
      : to === null
        ? []
        : (outOfTown(to[2] ?? "") ?? place((to[2] ?? "").replace(housed, ""), { lowerCase }));
  const [before] =
    to?.[1] === undefined ? fromAfter(to?.[2] ?? rest, lowerCase) : place(to[1], { lowerCase });
  // One arrives for a visit as well: who tells where from, months later, lives there.
  if (
    phrase.lemma === "arrive" &&
    (before === undefined || !/\b(?:months?|years?|19\d\d|20\d\d)\b/i.test(clause.rest))
  )
    return [];
  if (isTool(target?.text ?? "") || isTool(before?.text ?? "")) return [];
  return [
    ...(before === undefined
      ? []
      : [{ ...base, object: before.text, change: "end" as const, reason: "moved from" }]),
    ...(target === undefined ? [] : [{ ...base, object: target.text, reason: "moved to" }]),
  ];
}

/** "A village near Groningen" is not Groningen. */
function outOfTown(text: string): readonly Piece[] | undefined {
  return /^\s+an? (?:[\p{L}-]+ ){0,2}?(?:village|town|suburb|farm) (?:just |right )?(?:near|outside)\s/u.test(
    text,
  )
    ? nearby(text)
    : undefined;
}

const housed =
  /^\s+(?:an?|our|my) (?:[\p{L}\d-]+ ){0,3}?(?:apartment|flat|house|studio|room|place|cottage|condo|loft|home|village|town|suburb|farm|cabin)(?: (?:just |right )?(?:outside|near))?(?: of)?(?: in)?(?=\s)/iu;

function fromAfter(text: string, lowerCase: boolean): readonly Piece[] {
  const from = /(?:^|\s)(?:from|out of)\b(.*)$/is.exec(text.slice(0, 80));
  return from === null || /^\s+(?:home|work)\b/.test(from[1] ?? "")
    ? []
    : place(from[1] ?? "", { lowerCase });
}

/** "We spent last summer in Croatia": the place after the date. */
function spentIn({ clause, subject, whole, lowerCase }: RuleContext): readonly Draft[] {
  const lead =
    /^\s+(?:last|the|all|most of|this|part of|christmas|new year|easter)\s+(?!morning|afternoon|evening|day|hour)(?:[\p{L}\d-]+\s+){0,3}?in(?=\s+\p{Lu})/iu.exec(
      whole,
    )?.[0].length;
  if (lead === undefined || event(clause) === undefined || subject.kind === "attribute") return [];
  return places(whole.slice(lead), { lowerCase }).map(({ text }) => ({
    ...{
      subject: subject.text,
      predicate: "visited",
      object: text,
      timing: "event",
      reason: "spent time in",
    },
  }));
}
