import { knownPlaces } from "../../text/name-words.ts";
import { field, fields } from "./fields.ts";
import { endsOfWork, hirings, jobsTakenAndLost, movesOn, retiredAfter } from "./job-changes.ts";
import { occupation, organisation, type Piece, person, place, role } from "./objects.ts";
import { isOccupation } from "./occupations.ts";
import { ending, event, lasted, lasting, now, type Rule, state, verbRule } from "./rule.ts";

/** Where somebody works and as what. */
export const workRules: readonly Rule[] = [
  { verbs: ["retire"], read: retiredAfter },
  verbRule({
    ...{
      name: "has been at",
      verbs: "be",
      after: /\s+at\b/i,
      predicate: "works_at",
      object: organisation,
      who: "user",
    },
    // "At Nordwind since February"; "at Zalando now"; "was at Verizon for four years".
    effect: ({ phrase: { mode, negated, progressive } }) =>
      negated || progressive
        ? undefined
        : mode === "holds"
          ? {}
          : mode === "was"
            ? { change: "end", during: true }
            : undefined,
    when: ({ clause: { phrase }, whole, sentence }) =>
      phrase.perfect || phrase.mode === "was"
        ? !/\bsince (?:noon|midnight|\d{1,2}(?::|\s?[ap]m)|this|yesterday|breakfast|lunch|dinner|last night|(?:six|seven|eight|nine|ten|eleven|twelve)\b)/i.test(
            whole,
          ) &&
          /\b(?:since|for (?:almost |nearly |over |about )?(?:\d+|an?|\p{L}+) (?:years?|months?))\b/iu.test(
            whole,
          )
        : /\bnow\b/i.test(sentence) && /\b(?:jobs?|work|company|companies|employer)\b/i.test(sentence),
    accepts: ({ text }, { lowerCase, clause }) =>
      (/^\p{Lu}/u.test(text) || (lowerCase && clause.phrase.mode === "was")) &&
      !knownPlaces.has(text.toLowerCase()) &&
      !/\b(?:Heathrow|Starbucks|Home|University|College|School|Academy|Institute|Hospital|Gym|Church|Level|Stage|Step|Airport|Station)\b/.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "spent years at",
      verbs: "spend",
      after:
        /\s+(?:almost |nearly |over |about )?(?:\d+|\p{L}+)(?: \p{L}+)? (?:years|months|decades?) (?:at|with|working (?:at|for))\b/iu,
      predicate: "works_at",
      object: organisation,
    },
    effect: ending,
    accepts: ({ text }) =>
      /^\p{Lu}/u.test(text) &&
      !/['’]s$/.test(text) &&
      !/\b(?:University|College|School|Academy|Institute|Uni|Hospital)\b/.test(text),
  }),
  verbRule({
    ...{
      name: "moved to a team",
      verbs: "move switch transfer shift be",
      after:
        /\s+(?:over |back |just |recently |now |based |shifted |transferred |moved |reassigned )*(?:to|on|in|into)(?=\s+the\s)/i,
      predicate: "works_in",
      object: team,
    },
    effect: ({ phrase: { lemma, mode, negated, progressive } }) =>
      !negated && !progressive && (lemma === "be" ? mode === "holds" : mode === "was") ? {} : undefined,
    who: "user",
  }),
  verbRule({
    ...{
      name: "is in the forces",
      verbs: "be serve work",
      after: /\s+in(?=\s+the\s)/i,
      predicate: "works_in",
      object: forces,
      effect: state,
    },
  }),
  verbRule({
    ...{
      name: "joined as a",
      verbs: "join",
      after: /\s+as\b/i,
      predicate: "works_as",
      object: occupation,
      effect: event,
    },
  }),
  verbRule({
    ...{
      name: "works at",
      verbs: "work",
      after:
        /\s+(?:(?:full|part)[- ]time |[\p{L}\d]+ (?:days|shifts|hours|nights) (?:a|per) week |remotely |freelance |(?:nights|days|weekends|evenings|shifts|night shifts|mornings) |in (?:the )?[\p{L} ]{2,25}? (?:department |team )?|as an? [\p{L} -]{2,40}? )?(?:at|for)\b/iu,
    },
    ...{ predicate: "works_at", object: organisation, effect: state },
    accepts: ({ text }, { rest }) =>
      !/\s(?:at|for|with)\s+(?:home|night|nights|me|my|(?:the|a|my) (?:moment|while|client|clients|team))\b/i.test(
        rest.slice(0, 60),
      ) &&
      !/^(?:him|her|them)\b/i.test(text) &&
      // "For startups" is for many.
      !/^\p{Ll}+s$|^(?:summer|winter|spring|season|whole|entire|past|last|next)\b/u.test(text),
  }),
  verbRule({
    // "I drive for Uber", "I write for the Guardian", "I do night shifts at Amazon".
    ...{
      name: "works for",
      verbs: "drive deliver freelance consult write do",
      predicate: "works_at",
      object: organisation,
    },
    effect: lasting,
    after:
      /\s+(?:long haul |\p{Ll}+s |trucks? |vans? )?(?:(?:mostly |mainly |part[- ]time |freelance |some )?(?:shifts|nights|night shifts|deliver(?:y|ies)|security|reception|customer (?:service|support)|tech support|marketing|hr|admin|accounts|bookkeeping|childcare|cleaning|catering|bar work|research|sales|design|qa) )?(?:for|at|with)\b/iu,
    when: ({ clause: { phrase: verb }, rest }) => verb.lemma !== "do" || !/^\s+(?:for|at|with)\b/i.test(rest),
    accepts: ({ text, at }, { rest, clause: { phrase: verb } }) =>
      /^\p{Lu}/u.test(text) &&
      !knownPlaces.has(text.toLowerCase()) &&
      (verb.lemma === "do" || /\sfor\s+(?:the\s+)?$/i.test(rest.slice(0, at))) &&
      !/\b(?:Christmas|Easter|Ramadan|Lent|God|Jesus|Halloween|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "works in a place",
      verbs: "work",
      after:
        /(?:\s+(?:(?:part|full)[- ]time|nights|days|shifts|weekends|evenings|mornings|night shifts))?\s+in(?=\s+an?\s)/i,
      predicate: "works_at",
      object: organisation,
      effect: state,
    },
    accepts: ({ text, at }, { rest }) =>
      /\b(?:hospital|school|bank|restaurant|shop|store|library|bakery|factory|caf[eé]|lab|laboratory|warehouse|clinic|hotel|pharmacy|museum|kindergarten|nursery|law firm|bookstore|supermarket|gym|pub|bar|salon|garage|call cent(?:re|er)|care home|nursing home|surgery|practice|studio|kitchen|startup|agency|university|zoo|theatre|theater|cinema|florist|garden cent(?:re|er)|dispensary)$/iu.test(
        text,
      ) || /\s(?:called|named)\s+$/.test(rest.slice(0, at)),
  }),
  verbRule({
    // "I work in ASML": no town is written so.
    ...{
      name: "works in a company",
      verbs: "work",
      after: /(?:\s+as [^.;!?]{3,40}?)?\s+in\b/iu,
      predicate: "works_at",
      effect: state,
    },
    object: (text) => {
      const name =
        /^\s+(\p{Lu}{3,6}|Infosys|Wipro|Google|Amazon|Microsoft|Accenture|Deloitte|Siemens)(?=\s*(?:[.,;!)]|$|\p{Lu}?\p{Ll}))/u.exec(
          text,
        )?.[1];
      return name === undefined ? [] : [{ text: name, at: text.indexOf(name) }];
    },
    accepts: ({ text }) =>
      !fields.has(text.toLowerCase()) &&
      !knownPlaces.has(text.toLowerCase()) &&
      !/^(?:USA|UAE|NYC|VFX|SEO|QA|EMEA|APAC|STEM|NGO|FMCG|NLP|CGI|GIS|UX|UI|PR|AI)$/.test(text),
  }),
  verbRule({
    ...{
      name: "works as",
      verbs: "work serve volunteer freelance moonlight",
      after: /(?:\s+(?:at|for|in|with) .{2,40}?)?\s+as\b/iu,
    },
    ...{ predicate: "works_as", object: role, effect: state },
  }),
  verbRule({
    ...{ name: "is a", verbs: "be", predicate: "works_as", object: occupation },
    effect: (clause) => (clause.phrase.perfect && clause.phrase.negated ? undefined : state(clause)),
    // "An excellent baker", "a funny architect": praise, and what is to come.
    accepts: ({ text }) =>
      !/^(?:successful|excellent|great|good|better|best|bad|terrible|funny|gay|amazing|awesome|incredible|fantastic|wonderful|talented|brilliant|born|natural|former|ex|proud|decent|awful|horrible|real|true|big|huge|total|typical|aspiring|future|wannabe|would-be|amateur|fellow|little|lousy|slow|fast|careful|terrific|fabulous|famous|hardcore|avid)\b|\bturned\b|micromanager|dictator|supermodel/i.test(
        text,
      ),
    // "My dentist is a good listener" is stopped by the table; "was a student of mine" by the preposition.
    when: ({ rest }) =>
      !/\b(?:kind|sort|bit|lot) of\b/i.test(rest.slice(0, 20)) &&
      !/\b(?:student|sophomore|freshman|junior|senior|undergraduate|undergrad|postgrad|fresher) (?:at|of|in)\b/i.test(
        rest,
      ),
  }),
  verbRule({
    // "I was lawyer there", "we're both nurses", "I'm head of sales at Acme".
    ...{ name: "is in a trade", verbs: "be", predicate: "works_as", object: trade },
    effect: (clause) => (clause.phrase.perfect && clause.phrase.negated ? undefined : state(clause)),
    who: "user",
    // "We're nurses" are several; "I'm nurses" is nothing.
    accepts: ({ text, at }, { rest, sentence, clause }) =>
      !/^s/.test(rest.slice(at + text.length)) || /^we\b/i.test(sentence.slice(clause.subjectAt)),
  }),
  verbRule({
    // "I used to be a nurse", "I'm a former nurse".
    ...{
      name: "was a",
      verbs: "be",
      predicate: "works_as",
      object: occupation,
      after: /\s+(?:an? )?(?:former(?:ly)?|ex|previously)(?:[\s-]+an?(?=\s)|(?=[\s-]))[-]?/i,
    },
    effect: (clause) => (now(clause) === undefined ? undefined : { change: "end" as const }),
  }),
  verbRule({
    ...{ name: "role at", verbs: "be", object: organisation, predicate: "works_at", effect: state },
    // "A cameraman for Hollywood movies".
    accepts: ({ text, at }, { rest }) => !/^\s+\p{Ll}{3,}s\b(?<!was|has)/u.test(rest.slice(at + text.length)),
    after: /\s+(?:an?|the)\s+[\p{L}\s-]{3,50}?\s(?:at|for)\b/iu,
    when: ({ rest, lowerCase }) =>
      isOccupation((/^\s+(?:an?|the)\s+([\p{L}\s-]{3,50}?)\s(?:at|for)\b/iu.exec(rest)?.[1] ?? "").trim()) &&
      !lowerCase &&
      !/\b(?:student|sophomore|freshman|junior|senior|undergraduate|undergrad|postgrad|fresher) at\b/i.test(
        rest,
      ),
  }),
  verbRule({
    ...{
      name: "occupation from",
      verbs: "be",
      object: place,
      predicate: "from",
      timing: "none",
      effect: now,
    },
    after: /\s+an?\s+[\p{L}\s-]{3,40}?\sfrom\b/iu,
    when: ({ rest }) =>
      isOccupation((/^\s+an?\s+([\p{L}\s-]{3,40}?)\sfrom\b/iu.exec(rest)?.[1] ?? "").trim()),
  }),
  ...jobsTakenAndLost,
  verbRule({
    // "I teach at a language school".
    ...{
      name: "teaches at",
      verbs: "teach lecture nurse",
      predicate: "works_at",
      object: organisation,
      effect: state,
    },
    after: /(?:\s+(?!me\b|us\b|myself\b)[\p{L}\d-]+){0,3}?\s+at(?=\s+(?:an?\s|the\s|our\s)?\p{L})/iu,
    accepts: ({ text }) => /^\p{Lu}/u.test(text) && !knownPlaces.has(text.toLowerCase()),
  }),
  ...hirings,
  verbRule({
    ...{
      name: "employed at",
      verbs: "be",
      after: /\s+(?:currently )?(?:employed|interning)\s+(?:at|by|with)\b/i,
      predicate: "works_at",
      object: organisation,
      effect: state,
    },
  }),
  verbRule({
    ...{
      name: "interns at",
      verbs: "intern interning",
      after: /\s+(?:at|for|with)\b/i,
      predicate: "works_at",
      object: organisation,
      effect: lasting,
    },
  }),
  verbRule({
    ...{ name: "joined", verbs: "join", predicate: "works_at", object: organisation, effect: event },
    accepts: ({ text }) =>
      (/^\p{Lu}/u.test(text) ||
        /\b(?:startup|start-up|company|firm|agency|studio|bank|hospital|lab|consultancy)$/.test(text)) &&
      !/['’]s\b|\b(?:Committee|Council|Board|Panel|Channel|Slack|Festival|Tournament|Workshop)\b/u.test(
        text,
      ) &&
      !/\b(?:Club|Group|Team|Choir|Band|Class|Gym|Society|Discord|Facebook|Instagram|Twitter|Zoom|Reddit|Army|Navy|Church|League|Association|LGBTQ|Squad|Program|Course)\b/iu.test(
        text,
      ),
    when: ({ rest }) =>
      /^\s+(?:\p{Lu}|an?\s)/u.test(rest) &&
      !/^\s+(?:\p{Lu}\S*\s)*\p{Lu}\S*['’]s?\s/u.test(rest) &&
      !/^\s+\S+(?:\s+\S+)?\s+(?:group|club|team|class|gym|call|program|league|community|support|activist)/i.test(
        rest,
      ),
  }),
  verbRule({
    ...{
      name: "reports to",
      verbs: "report",
      after: /\s+(?:directly )?to\b/i,
      predicate: "has_boss",
      object: person,
      effect: lasting,
    },
  }),
  ...movesOn,
  verbRule({
    ...{
      name: "works in",
      verbs: "work",
      after: /\s+in\b/i,
      predicate: "works_in",
      object: field,
      effect: (clause) => lasting(clause) ?? lasted(clause),
    },
  }),
  verbRule({
    ...{
      name: "is in a field",
      verbs: "be",
      after: /\s+in\b/i,
      predicate: "works_in",
      object: field,
      effect: now,
      who: "user",
    },
    when: ({ whole }) =>
      /^\s+in (?:IT|HR|(?!it\b|real\b|data\b|human\b|public\b|social\b|customer\b|research\b|design\b|film\b|media\b|politics\b|supply\b)\p{Ll}+)(?:\s+(?:sales|marketing))?\s*(?:[.,!;]|$|and\b|but\b|so\b|at\b|myself\b)/u.test(
        whole,
      ),
  }),
  verbRule({
    ...{
      name: "leads at",
      verbs: "lead manage head run supervise",
      after:
        /\s+(?:the|an?|our)\s+[\p{L} -]{2,30}?(?:team|department|group|division|practice|office|lab|unit)\s+at\b/iu,
      predicate: "works_at",
      object: organisation,
      effect: now,
    },
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{
      name: "volunteers at",
      verbs: "volunteer",
      after: /\s+(?:at|with|for)\b/i,
      predicate: "volunteers_at",
      object: organisation,
      effect: lasting,
    },
  }),
  verbRule({
    ...{
      name: "founded",
      verbs: "found launch cofound co-found",
      predicate: "founded",
      object: organisation,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  ...endsOfWork,
];

/** "Lawyer" of "I was lawyer there", "nurse" of "we're both nurses", "head of sales". */
function trade(text: string): readonly Piece[] {
  if (/^\s+(?:an?|the|my|our|not|in|on|at|so|too|very|going|\d|\p{Lu})/u.test(text)) return [];
  const match =
    /^\s+(?:both |all |just |currently |now |also |two |three |four )*((?:[\p{L}-]+ ){0,3}?[\p{L}-]+(?: of (?!mine|yours|the|my)[\p{L}]+(?: and [\p{L}]+)?)?)(?=\s*(?:[.,;!)]|$|(?:at|in|for|from|there|here|but|and|by|since|until|now|with|on)\b))/u.exec(
      text,
    );
  const [whole = "", found = ""] = match ?? [];
  const words = found.toLowerCase().split(" ");
  if (
    found === "" ||
    /^(?:an?|the|my|your|his|her|our|no|not|in|on|at|from|with|so|too|very|really|such|like|both|all|promoted|appointed|made|elected|named|former|ex|self-employed|looking|becoming)$/.test(
      words[0] ?? "",
    )
  )
    return [];
  const many = /s$/.test(found) && !/(?:ss|us|is)$/.test(found) && !/\sof\s/.test(found);
  const one = many ? found.replace(/(?:ies)$/, "y").replace(/s$/, "") : found;
  if (
    /^(?:model|captain|head|president|judge|guide|coach|host|master|conductor|mason|porter|steward|temp|vet|author|driver|volunteer|student|singer)$/.test(
      one.toLowerCase(),
    )
  )
    return [];
  if (
    !/^(?:head|director|vp|ceo|cto|cfo|coo|chief|manager) of /i.test(one) &&
    (!isOccupation(one) || /^\p{Lu}\p{Ll}/u.test(one))
  )
    return [];
  return [{ text: one, at: whole.length - found.length }];
}

/** "Platform team" of "the platform team". */
function team(text: string): readonly Piece[] {
  const found =
    /^\s+the\s+((?:[\p{L}&-]+ ){1,3}?(?:team|department|office|branch|division|ward|desk))(?=\s*(?:[.,!;]|$|and\b|now\b|at\b|but\b|so\b|since\b|here\b|last\b))/iu.exec(
      text,
    )?.[1];
  return found === undefined ||
    /^(?:same|other|whole|best|right|wrong|new|back|home|post|box|head|oval|main|first|winning|losing|away) /i.test(
      found,
    )
    ? []
    : [{ text: found, at: text.indexOf(found) }];
}

function forces(text: string): readonly Piece[] {
  const found =
    /^\s+the\s+((?:\p{L}+ )?(?:navy|army|air force|marines|military|coast ?guard|police|fire service|fire brigade|civil service))\b(?! \p{L}*s\b| of\b)/iu.exec(
      text,
    )?.[1];
  return found === undefined ? [] : [{ text: found, at: text.indexOf(found) }];
}
