import { breedOf, eachOf, isBreed, petNouns, petOf, relationAdjectives, relationOf } from "./kin.ts";
import { person } from "./objects.ts";
import { type Draft, now, type Rule, type RuleContext, state, verbRule } from "./rule.ts";

/** Family, friends, colleagues and pets. */
export const relationRules: readonly Rule[] = [
  { verbs: ["be"], read: isRelative },
  { verbs: ["change"], read: another },
  { verbs: ["break", "split"], read: parted },
  verbRule({
    ...{
      name: "married to",
      verbs: "be",
      after: /\s+(?:happily )?married\s+to\b/i,
      predicate: "married_to",
      object: person,
      effect: state,
    },
  }),
  verbRule({
    ...{
      name: "engaged to",
      verbs: "be get",
      after: /\s+engaged\s+to(?:\s+an?\s+\p{L}+\s+(?:called|named))?(?=\s)/iu,
      predicate: "engaged_to",
      object: person,
      effect: withTo,
    },
  }),
  verbRule({
    ...{ name: "married", verbs: "marry", predicate: "married_to", object: person },
    // "Is marrying Fenna on Saturday" is to come.
    effect: (clause) => (clause.phrase.progressive ? undefined : withTo(clause)),
  }),
  verbRule({
    ...{
      name: "got married to",
      verbs: "get",
      after: /\s+married\s+to\b/i,
      predicate: "married_to",
      object: person,
      effect: withTo,
    },
  }),
  { verbs: ["get"], read: marriedLately },
  verbRule({
    ...{
      name: "dating",
      verbs: "date",
      after:
        /(?:\s+(?:(?:an?|this) (?:\p{L}+ )?(?:guy|girl|man|woman|person)|some(?:one|body)(?: new)?),? (?:named|called))?/iu,
      predicate: "dating",
      object: person,
      effect: now,
    },
  }),
  { verbs: ["be", "get"], read: status },
];

function withTo({ phrase: { mode, negated } }: RuleContext["clause"]): Record<string, never> | undefined {
  return (mode === "was" || mode === "holds") && !negated ? {} : undefined;
}

/** "My boss has changed from Maria to Petra". */
function another({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { known } = subject;
  const [, from, to = ""] = /^(?:\s+from\s+(.{2,40}?))?\s+to\s+(.{2,40})$/is.exec(rest) ?? [];
  if (known === undefined || known.pet || known.name !== undefined) return [];
  if (clause.phrase.mode !== "was" || clause.phrase.negated) return [];
  const [before] = person(from ?? "", { lowerCase: false });
  const [next] = person(to, { lowerCase: false });
  if (next === undefined) return [];
  const base = {
    subject: known.of,
    predicate: `has_${known.noun}`,
    timing: "state",
    reason: "another",
  } as const;
  return [
    ...(before === undefined ? [] : [{ ...base, object: before.text, change: "end" as const }]),
    { ...base, object: next.text },
  ];
}

/** "We got married in May to Julian": with the day between. */
function marriedLately({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const lead = /^\s+married\s+(?:in|on|last|this)\s[^,.;]{2,20}?\s+to(?=\s+\p{Lu})/u.exec(whole)?.[0].length;
  const [name] = lead === undefined ? [] : person(whole.slice(lead), { lowerCase: false });
  return name === undefined || clause.phrase.mode !== "was" || clause.phrase.negated
    ? []
    : [
        {
          subject: subject.text,
          predicate: "married_to",
          object: name.text,
          timing: "state",
          reason: "got married to",
        },
      ];
}

const couples = /^(?:wife|husband|partner|girlfriend|boyfriend|fiance)$/;

/** "My girlfriend and I broke up", "I split up with my boyfriend". */
function parted({ clause, subject, rest, lowerCase }: RuleContext): readonly Draft[] {
  const { phrase, subjects } = clause;
  if (!/^\s+up\b/.test(rest) || phrase.mode !== "was" || phrase.negated) return [];
  const base = { predicate: "", change: "end", timing: "state", reason: "parted" } as const;
  const left = subjects.find(({ known }) => known !== undefined && couples.test(known.noun));
  if (subject.kind === "user" && left?.known !== undefined)
    return [{ ...base, subject: "user", predicate: `has_${left.known.noun}`, object: left.text }];
  // "Kwame and I broke up".
  const other = subjects.find(({ kind }) => kind === "name");
  if (subject.kind === "user" && other !== undefined && subjects.length === 2)
    return [{ ...base, subject: "user", predicate: "has_partner", object: other.text }];
  // "Broke up with Matteo".
  const name = /^\s+up\s+with(?=\s+\p{L})/u.exec(rest)?.[0].length;
  const [former] = name === undefined ? [] : person(rest.slice(name), { lowerCase });
  if (subject.kind === "user" && former !== undefined)
    return [{ ...base, subject: "user", predicate: "has_partner", object: former.text }];
  const [, noun = ""] = /^\s+up\s+with\s+my\s+(\p{L}+)/iu.exec(rest) ?? [];
  const kin = relationOf(noun.toLowerCase())?.noun ?? "";
  return subject.kind === "user" && couples.test(kin)
    ? [{ ...base, subject: "user", predicate: `has_${kin}` }]
    : [];
}

/** "Jonas is my roommate", "Nina and Oscar are my kids". */
function isRelative({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (subject.kind === "attribute" || subject.kind === "user" || subject.kind === "several") return [];
  if (phrase.progressive || phrase.mode === "will" || phrase.perfect) return [];
  const match =
    /^\s+(?:my|our|(\p{Lu}[\p{L}-]+)['’]s)\s+(?:\d{1,2}[- ]?years?[- ]old\s+)?((?:[\p{Ll}-]+\s+){0,2}?)(\p{Ll}[\p{L}-]+)(?=\s*(?:[.,!;]|$|and\b|who\b|from\b|at\b|since\b))/u.exec(
      rest,
    );
  const [, of = "user", between = "", noun = ""] = match ?? [];
  const relation =
    relationOf(`${between.trim().toLowerCase()}-${noun.toLowerCase()}`) ?? relationOf(noun.toLowerCase());
  const fits =
    between.trim() === "" ||
    relation?.noun === "business_partner" ||
    between
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .every((word) => relationAdjectives.has(word));
  const animal = petNouns.has(noun) || isBreed(between.trim().split(/\s+/).at(-1) ?? "", noun);
  if (match === null || !(fits || animal) || subject.text.startsWith("user's")) return [];
  const past = phrase.mode === "was" || phrase.mode === "ended";
  // "She wasn't my boss" tells of then.
  if (phrase.negated && past) return [];
  const change = phrase.negated ? ({ affirmed: false } as const) : past ? ({ change: "end" } as const) : {};
  const base = { subject: of, object: subject.text, timing: "none", reason: "is my" } as const;
  const several = clause.subjects.length > 1;
  const one = several ? eachOf(noun.toLowerCase()) : undefined;
  const kin = relation === undefined || relation.plural === true ? one : relation.noun;
  if (kin !== undefined) return [{ ...base, predicate: `has_${kin}`, ...change }];
  const pet = several
    ? petOf(noun.toLowerCase())
    : isBreed(between.trim().split(/\s+/).at(-1) ?? "", noun)
      ? `${between.trim().split(/\s+/).at(-1) ?? ""} ${noun}`
      : petNouns.has(noun.toLowerCase())
        ? breedOf(between, noun.toLowerCase())
        : undefined;
  return pet !== undefined && phrase.mode === "holds" && !phrase.negated
    ? [
        { ...base, predicate: "has_pet" },
        { ...base, subject: subject.text, predicate: "is_a", object: pet },
        ...[/^\s+\S+\s+(\d{1,2})[- ]?year/i.exec(rest)?.[1]].flatMap((years) =>
          years === undefined
            ? []
            : [
                {
                  ...base,
                  subject: subject.text,
                  predicate: "age",
                  object: years,
                  cardinality: "one",
                } as const,
              ],
        ),
      ]
    : [];
}

/** "I got divorced", "I'm single". */
function status(context: RuleContext): readonly Draft[] {
  const { clause, subject, rest } = context;
  const { phrase } = clause;
  const match =
    /^\s+(?:happily |still |recently |newly )?(single|married|divorced|engaged|widowed|separated)(?=\s*(?:[.,!;)]|$|and\b|but\b|for\b|since\b|in\b|on\b|last\b|with\b|now\b|so\b|again\b|at\b|yesterday\b|this\b|haha\b|lol\b|btw\b|tbh\b|here\b|though\b))/i.exec(
      rest,
    );
  const bereaved =
    /^\s+an?\s+(?:[\p{L}\d-]+ ){0,2}(widow(?:er)?)(?=\s*(?:[.,!;]|$|(?:and|since|with|living|who|from|in|so|now)\b|of \d))/iu.exec(
      rest,
    )?.[1];
  const word =
    bereaved !== undefined && phrase.lemma === "be" ? bereaved.toLowerCase() : match?.[1]?.toLowerCase();
  // "Anouk and I are engaged".
  const other = clause.subjects.find(({ kind, text }) => kind !== "user" && !text.includes("'s"));
  if (
    clause.subjects.length === 2 &&
    other !== undefined &&
    clause.subjects.some(({ kind }) => kind === "user")
  ) {
    const predicate = word === "married" ? "married_to" : word === "engaged" ? "engaged_to" : "";
    return predicate === "" || phrase.negated || phrase.mode === "will" || subject.kind !== "user"
      ? []
      : [{ subject: "user", predicate, object: other.text, timing: "state", reason: "a couple" }];
  }
  // "To show that I'm engaged" is of attention.
  if (
    word === "engaged" &&
    phrase.lemma === "be" &&
    subject.kind === "user" &&
    !/^\s+(?:newly|recently|happily)|\b(?:wedding|fianc|ring|marr)/i.test(rest) &&
    !/^we\b/i.test(clause.lead + context.sentence.slice(clause.subjectAt))
  )
    return [];
  if (word === undefined || subject.kind === "attribute" || phrase.mode === "will" || phrase.progressive)
    return [];
  if (phrase.lemma === "get" ? phrase.mode !== "was" || phrase.negated : phrase.mode !== "holds") return [];
  return [
    {
      ...{
        subject: subject.text,
        predicate: "marital_status",
        object: word,
        timing: "state",
        reason: "marital status",
      },
      ...(phrase.negated ? { affirmed: false } : {}),
    },
  ];
}
