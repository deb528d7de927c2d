import { nouns, organisation, type Piece, thing } from "./objects.ts";
import {
  type Draft,
  ending,
  event,
  lasting,
  now,
  ongoing,
  type Rule,
  type RuleContext,
  state,
  verbRule,
} from "./rule.ts";

const yearOf =
  /\s+in (?:my|her|his) (?:\p{L}+|\d\p{L}+)(?:[- ]to[- ]last)? year(?: of (?:[\p{L}-]+ ){0,2}[\p{L}-]+,? (?:doing|studying|taking)\b| (?:of|doing|studying)\b| at [\p{L} ]{2,25}?,? (?:doing|studying|reading)\b)(?:\s+(?:an?|my|the))?/iu;

const isStudying = {
  verbs: "be",
  predicate: "studies",
  object: subjects,
  effect: now,
  timing: "none",
} as const;

/** Schools, subjects and degrees. */
export const studyRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "degree from",
      verbs: "have get earn receive complete finish do",
      predicate: "graduated_from",
      object: organisation,
      timing: "event",
    },
    after:
      /\s+(?:an?|my)\s+(?:\p{L}+['’]?s?[- ])?(?:phd|ph\.d\.?|bachelor['’]?s?|master['’]?s?|b\.?a|b\.?sc|m\.?a|m\.?sc|mba|b\.?com|b\.?tech|m\.?tech|degree|doctorate|diploma)(?:\s+degree)?(?:\s+in\s+[\p{L} ]{3,30}?)?\s+from\b/iu,
    effect: ({ phrase: { mode, negated } }) =>
      mode !== "will" && mode !== "ended" && !negated ? {} : undefined,
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{
      name: "degree in",
      verbs: "do pursue get have",
      predicate: "studies",
      object: subjects,
      timing: "none",
    },
    after:
      /\s+(?:an?|my)\s+(?:\p{L}+[- ])?(?:phd|ph\.d\.?|bachelor['’]?s?|master['’]?s?|ba|bsc|ma|msc|mba|degree|doctorate|major)(?:\s+degree)?\s+in\b/iu,
    effect: ongoing,
  }),
  verbRule({
    ...{
      name: "degree at",
      verbs: "do pursue get",
      predicate: "studies_at",
      object: organisation,
      timing: "none",
    },
    after:
      /\s+(?:an?|my)\s+(?:\p{L}+[- ])?(?:phd|ph\.d\.?|bachelor['’]?s?|master['’]?s?|ba|bsc|ma|msc|mba|degree|doctorate)(?:\s+degree)?(?:\s+(?:in|on|about)\s+[\p{L} ]{3,30}?)?\s+at\b/iu,
    effect: ongoing,
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{
      name: "is studying beside",
      verbs: "be",
      predicate: "studies",
      object: subjects,
      effect: now,
      timing: "none",
    },
    after: /\s+an?\s+(?:[\p{L}\d'’.-]+\s+){1,7}?(?:studying|majoring in|doing)\b/iu,
  }),
  verbRule({
    ...isStudying,
    name: "student in",
    after:
      /\s+an?\s+(?:[\p{L}-]+\s+){0,3}?(?:student|candidate|major|freshman|sophomore|undergrad|undergraduate)\s+(?:in|of)\b/iu,
  }),
  verbRule({
    ...{
      name: "degree taken",
      verbs: "complete finish do get earn",
      predicate: "degree",
      object: title,
      timing: "none",
    },
    effect: event,
    when: ({ rest }) => /^\s+(?:my|an?|his|her)\s/i.test(rest),
  }),
  { verbs: ["graduate"], read: graduatedWith },
  verbRule({
    ...{
      name: "is doing a degree",
      verbs: "do pursue",
      predicate: "studies",
      object: bareDegree,
      effect: ongoing,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "year of",
      verbs: "be",
      after: yearOf,
      predicate: "studies",
      object: courses,
      effect: now,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "year at",
      verbs: "be",
      predicate: "studies_at",
      object: organisation,
      effect: now,
      timing: "none",
    },
    after:
      /\s+in my (?:\p{L}+|\d\p{L}+)(?:[- ]to[- ]last)? year\b(?: of (?:[\p{L}'’-]+ ){1,6}?| doing (?:[\p{L}'’-]+ ){1,4}?| )at\b/iu,
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{ name: "studies", verbs: "study", predicate: "studies", object: subjects, effect: state },
    // "I study at night", "I'm studying for the exam".
    when: ({ rest }) => !/^\s+(?:the|for|at|with|in|abroad|hard|every|how|to|on|from)\b/i.test(rest),
  }),
  verbRule({
    // "I'm doing my A levels: biology, chemistry and art".
    ...{
      name: "takes exams in",
      verbs: "do take study",
      predicate: "studies",
      object: subjects,
      effect: ongoing,
      timing: "none",
    },
    after: /\s+(?:my |an? )?(?:a[- ]levels?|gcses|highers|ib|leaving cert)\s*(?:in\b|[:,(–-])/i,
  }),
  verbRule({
    // "I'm taking maths, physics and art".
    ...{
      name: "takes subjects",
      verbs: "take do",
      predicate: "studies",
      object: subjects,
      effect: ongoing,
      timing: "none",
    },
    when: ({ rest }) => /^\s+\p{L}+(?:\s+\p{L}+)?,\s+[\p{L} ,]*\band\s/u.test(rest),
  }),
  verbRule({
    // "She's at Dundee doing dentistry", "in 300 level at UNILAG, studying accounting".
    ...{
      name: "is at a school",
      verbs: "be",
      predicate: "studies_at",
      object: organisation,
      effect: now,
      timing: "none",
    },
    after: /(?:\s+in [\p{L}\d]+ (?:level|year|grade|semester))?\s+at\b/iu,
    accepts: ({ text, at }, { whole }) => {
      const course = /^,?\s+(?:studying|doing|reading|taking)\s+(?=\p{Ll})/u.exec(
        whole.slice(at + text.length),
      );
      return (
        /^\p{Lu}/u.test(text) &&
        course !== null &&
        subjects(` ${whole.slice(at + text.length + course[0].length)}`).length > 0
      );
    },
  }),
  verbRule({
    ...isStudying,
    name: "studies there",
    after:
      /(?:\s+in [\p{L}\d]+ (?:level|year|grade|semester))?\s+at(?:\s+\p{Lu}[\p{L}.]+){1,4},?\s+(?:studying|doing|reading|taking)\b/u,
  }),
  verbRule({
    ...{
      name: "dropped a subject",
      verbs: "drop",
      after: /\s+out\s+of\b/i,
      predicate: "studies",
      object: subjects,
      effect: ending,
    },
  }),
  { verbs: ["have", "hold", "get", "earn", "do", "finish", "complete", "receive"], read: degreeHeld },
  verbRule({
    ...{
      name: "majors in",
      verbs: "major minor",
      after: /\s+in\b/i,
      predicate: "studies",
      object: subjects,
      effect: lasting,
    },
  }),
  verbRule({
    ...{ name: "studies at", verbs: "study", predicate: "studies_at", object: organisation, effect: state },
    after: /(?:\s+(?!at\b)[\p{L}-]+){0,5}?\s+at\b/iu,
    // One studies at "Science Daily", too, but is no student there.
    accepts: ({ text }, { rest }) =>
      /^\p{Lu}/u.test(text) && !/\b(?:strategies|techniques|methods|Daily|Inc|Corp)\b/.test(rest),
  }),
  verbRule({
    ...{
      name: "student at",
      verbs: "be",
      after:
        /\s+(?:an?|the)\s+(?:[\p{L}-]+ ){0,4}?(?:student|freshman|sophomore|junior|senior|undergraduate|undergrad|postgrad|postgraduate|fresher|candidate)\s+(?:in\s+[\p{L} ]{3,30}?\s+)?at\b/iu,
    },
    ...{ predicate: "studies_at", object: organisation, effect: state },
  }),
  verbRule({
    ...{
      name: "goes to school",
      verbs: "go attend",
      after: /(?:\s+to)?\b/i,
      predicate: "studies_at",
      object: organisation,
      effect: lasting,
    },
    accepts: ({ text }) =>
      /(?:University|College|High School|Academy|Institute of)|^(?:St|\p{Lu}).*\b(?:school|college|academy|nursery|kindergarten|university)$/u.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "graduated from",
      verbs: "graduate",
      after: /(?:\s+with [\p{L}\s]{3,30}?)?\s+from\b/iu,
      predicate: "graduated_from",
      object: organisation,
      effect: event,
      timing: "event",
    },
  }),
  verbRule({
    ...{
      name: "dropped out of",
      verbs: "drop",
      after: /\s+out\s+of\b/i,
      predicate: "studies_at",
      object: thing,
      effect: ending,
    },
    accepts: ({ text }) => /^\p{Lu}|\b(?:school|college|university|uni|academy)$/u.test(text),
  }),
  verbRule({
    ...{
      name: "degree in",
      verbs: "have get earn finish complete",
      predicate: "degree",
      object: degree,
      effect: ({ phrase: { mode, negated, lemma } }) =>
        (lemma === "have" ? mode === "holds" : mode === "was") && !negated ? {} : undefined,
      timing: "none",
    },
    after: /\s+(?:an?|my|the)\s+(?=(?:bachelor|master|phd|ph\.d|mba|degree|associate|doctorate)\b)/i,
  }),
  verbRule({
    ...{
      name: "teaches",
      verbs: "teach",
      predicate: "teaches",
      object: taught,
      effect: state,
    },
    when: ({ rest }) => !/^\s+(?:me|us|him|her|them|you|my|people|how|at|in|to|a)\b/i.test(rest),
  }),
];

const degrees = String.raw`(?:b\.?\s?com|b\.?\s?tech|b\.?\s?sc|b\.?\s?ed|m\.?\s?com|m\.?\s?tech|m\.?\s?sc|m\.?\s?ed|b\.?a|m\.?a|bba|mba|phd|ph\.d|llb|llm|md|bachelor['’]?s?|master['’]?s?)`;
const taken = new RegExp(
  String.raw`^\s+(?:my|an?|his|her)\s+(${degrees}(?:\s+(?:degree\s+)?in\s+[\p{L} ]{3,30}?)?)\.?\s+(?:degree\s+)?(?:from|at)\b`,
  "iu",
);
const withDegree = new RegExp(
  String.raw`\swith\s+(?:an?|my)\s+((?:${degrees}|\d[:.]\d)\s+(?:degree\s+)?in\s+[\p{L}]+(?:\s+(?!from\b|at\b|in\b|last\b|and\b|but\b)[\p{L}]+){0,2})`,
  "iu",
);
const unnamedDegree =
  /^\s+(?:(?:my|an?|his|her)\s+)?(phd|master['’]?s|mba|bachelor['’]?s|doctorate|llm|msc|bsc|MBA|PhD|BTech|B\.?Tech|LLM|MSc|BSc)(?=\s*(?:[.,!;]|$|in\s+\p{Lu}|at\b|from\b|and\b|but\b|so\b))/u;

/** "B.Com" of "my B.Com from Calcutta University". */
function title(text: string): readonly Piece[] {
  return firstGroup(taken, text);
}

/** "Graduated from Howard in 2016 with a BA in political science". */
function graduatedWith({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const [found] =
    event(clause) === undefined || subject.kind === "attribute" ? [] : firstGroup(withDegree, whole);
  return found === undefined
    ? []
    : [
        {
          subject: subject.text,
          predicate: "degree",
          object: found.text,
          timing: "none",
          reason: "graduated with",
        },
      ];
}

/** "Masters" of "her masters in Montreal". */
function bareDegree(text: string): readonly Piece[] {
  return firstGroup(unnamedDegree, text);
}

function firstGroup(pattern: RegExp, text: string): readonly Piece[] {
  const found = pattern.exec(text)?.[1]?.trim();
  return found === undefined ? [] : [{ text: found, at: text.indexOf(found) }];
}

/** "Mechanical engineering" of "a mechanical engineering degree". */
function courses(text: string): readonly Piece[] {
  return nouns(text)
    .map((piece) => ({
      ...piece,
      text: piece.text.replace(
        /\s+(?:degree|school|course|studies|phd|masters?|bachelors?|ba|bsc|ma|msc)$/i,
        "",
      ),
    }))
    .filter((piece) => academic.test(piece.text) && !notSubjects.test(piece.text));
}

// What schools teach, by name or by ending.
const academic =
  /(?:ology|onomy|ography|istry|(?:econom|phys|mathemat|polit|linguist|statist|robot|genet|class|electron|mechan|aeronaut|acoust)ics|maths?|calculus|algebra|history|law|medicine|nursing|engineering|architecture|arts?|design|music|business|finance|accounting|marketing|computer science|computing|it|philosophy|education|literature|journalism|the(?:ology|at(?:re|er))|film|drama|dance|photography|science|sciences|studies|languages?|english|spanish|french|german|italian|portuguese|dutch|russian|chinese|mandarin|japanese|korean|arabic|latin|communications?|administration|management|pharmacy|dentistry|veterinary medicine|social work|therapy|counseling|hospitality|tourism|fashion|agriculture|forestry|planning|security|cybersecurity|analytics|programming|development|intelligence|learning|pedagogy|culinary arts|relations|policy|health|nutrition|kinesiology|criminology|animation|aviation|criminal justice|mba|econ|psych|bio|biochem|chem|poli sci|comp sci|compsci|cs)$/i;

/** Whether words name what is studied: "physics". */
export function isSubject(text: string): boolean {
  return academic.test(text);
}

const notSubjects =
  /^(?:hard|abroad|late|together|full|part|alone|daily|more|my|your|up|it|that|this|notes|material|them|those|these|different|how|new|chapter|flashcards|in|tonight)\b/i;

function subjects(text: string): readonly Piece[] {
  return nouns(text).filter(
    (piece) =>
      !notSubjects.test(piece.text) &&
      !/\d|^[A-Z][a-z]+ \p{Ll}|\b(?:state management|strong induction)\b/u.test(piece.text) &&
      academic.test(piece.text),
  );
}

/** What is taught: also outside of schools. */
function taught(text: string): readonly Piece[] {
  return nouns(text).filter(
    ({ text: found }) =>
      academic.test(found) ||
      /^(?:[\p{L}-]+ )?(?:yoga|pilates|zumba|piano|guitar|violin|cello|drums|karate|judo|taekwondo|ballet|tango|salsa|pottery|chess|woodwork|metalwork|\p{L}{3,}ing|kindergarten|nursery|(?:year|grade) (?:\d+|\p{L}+)|(?:first|second|third|fourth|fifth|sixth) grade)$/iu.test(
        found,
      ),
  );
}

function degree(text: string): readonly Piece[] {
  const match =
    /^((?:bachelor|master|phd|ph\.d|mba|degree|associate|doctorate)(?:['’]?s)?(?: degree)?(?: (?:of|in) [\p{L} ]{3,40}?)?)(?=\s+(?:from|at|with|last|this|and)\b|[.,;!]|$)/iu.exec(
      text,
    );
  // "My degree" is some degree.
  return match?.[1] === undefined || !/ (?:in|of) (?!(?:my|the|a|this)\b)/i.test(match[1])
    ? []
    : [{ text: match[1], at: 0 }];
}

const held = new RegExp(
  String.raw`^\s+(?:an?|my|both an?)\s+(?:\p{L}+ )?(${degrees}(?:\s+degree)?\s+in\s+(\p{L}+(?:\s+(?!from\b|at\b|in\b|last\b|and\b|but\b|with\b|this\b|which\b|so\b)\p{L}+){0,2}))(?:,?\s+(?:from|at)\b(.*))?`,
  "isu",
);

/** "I hold a PhD in linguistics from Edinburgh", "I did my BA in history at Leeds". */
function degreeHeld({ clause: { phrase: verb }, subject, whole }: RuleContext): readonly Draft[] {
  const has = /^(?:have|hold)$/.test(verb.lemma);
  if (
    subject.kind === "attribute" ||
    verb.negated ||
    verb.progressive ||
    (has ? verb.mode !== "holds" : verb.mode !== "was")
  )
    return [];
  const [, title, topic = "", school] = held.exec(whole) ?? [];
  if (
    title === undefined ||
    (!isSubject(topic) && !/^\p{Ll}/u.test(topic)) ||
    /^(?:my|the|a|an|this|that|our|your)\b/i.test(topic)
  )
    return [];
  const from =
    school === undefined
      ? []
      : organisation(school, { lowerCase: false }).filter(({ text }) => /^\p{Lu}/u.test(text));
  const base = { subject: subject.text, timing: "none", reason: "degree held" } as const;
  return [
    { ...base, predicate: "degree", object: title },
    ...from.map(({ text }) => ({ ...base, predicate: "graduated_from", object: text })),
  ];
}
