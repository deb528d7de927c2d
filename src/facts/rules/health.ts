import { nouns, type Piece, thing, things } from "./objects.ts";
import {
  type Draft,
  type Effect,
  event,
  lasted,
  lasting,
  now,
  past,
  type Rule,
  type RuleContext,
  state,
  verbRule,
} from "./rule.ts";
import { wordSet } from "./words.ts";

const conditions =
  wordSet(`asthma diabetes migraine migraines arthritis anxiety depression adhd add autism epilepsy insomnia
  hypertension cancer anemia anaemia eczema psoriasis celiac coeliac crohn's ibs endometriosis pcos lupus fibromyalgia
  sciatica scoliosis tinnitus vertigo narcolepsy ocd ptsd bipolar schizophrenia dyslexia dyspraxia glaucoma cataracts
  osteoporosis gout hypothyroidism hyperthyroidism hepatitis hiv parkinson's alzheimer's dementia pneumonia covid flu
  bronchitis tendonitis gastritis rosacea hemophilia leukemia lymphoma melanoma hashimoto's apnea reflux disease disorder
  syndrome degeneration fibrillation copd gerd cfs colitis hernia menopause perimenopause prediabetes rsi condition pressure cholesterol allergies`);
const bodyParts =
  wordSet(`arm leg ankle wrist foot hand knee shoulder back neck finger toe hip rib ribs nose elbow collarbone
  achilles pec quad glute shin heel tailbone coccyx cheekbone sternum pelvis femur tibia fibula bicep tricep hamstring thumb jaw skull acl meniscus tendon calf groin`);
const diets = wordSet(
  "vegan vegetarian pescatarian pescetarian keto paleo kosher halal gluten-free dairy-free lactose-free sugar-free flexitarian carnivore plant-based",
);
const be: Effect = (clause) =>
  clause.phrase.able || clause.phrase.progressive ? undefined : lasting(clause);

/** Allergies, diets, conditions, medicines and fears. */
export const healthRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "allergic to",
      verbs: "be",
      predicate: "allergic_to",
      object: things,
      effect: be,
      timing: "none",
    },
    after: /\s+(?:[\p{L}]+ly |really |very |also |super |quite )?allergic\s+to\b/iu,
    accepts: ({ text }) => !/^(?:bullshit|exercise|mornings|mondays|work|people|drama)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "has an allergy",
      verbs: "have develop",
      predicate: "allergic_to",
      object: things,
      effect: be,
      timing: "none",
    },
    after: /\s+(?:an?\s+)?(?:[\p{L}]+ )?(?:allergy|allergies)\s+to\b/iu,
  }),
  verbRule({
    ...{
      name: "has an allergy",
      verbs: "have",
      predicate: "allergic_to",
      object: namedAllergy,
      effect: be,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "intolerant",
      verbs: "be",
      predicate: "intolerant_to",
      object: intolerance,
      effect: be,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "diet",
      verbs: "be go become turn eat keep",
      predicate: "diet",
      object: dietary,
      effect: dieting,
    },
  }),
  verbRule({
    ...{
      name: "follows a diet",
      verbs: "follow keep be eat",
      predicate: "diet",
      object: followed,
      effect: lasting,
    },
  }),
  verbRule({
    ...{
      name: "has a condition",
      verbs: "have suffer live",
      after:
        /(?:\s+(?:from|with))?(?:\s+(?:an?|the|some|mild|severe|bad|terrible|awful|really|pretty|slight|moderate))*(?=\s)/i,
      predicate: "has_condition",
      object: condition,
      effect: (clause) => lasting(clause) ?? lasted(clause),
    },
  }),
  verbRule({
    ...{
      name: "gets",
      verbs: "get",
      predicate: "has_condition",
      object: condition,
      effect: now,
      timing: "none",
    },
    after: /(?:\s+(?:really|very|some|the|terrible|awful|bad|severe))*(?=\s)/i,
    accepts: ({ text }) => isIllness(text) && !/(?:anxiety|depression|pneumonia|bronchitis)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "is ill",
      verbs: "be",
      predicate: "has_condition",
      object: illness,
      effect: be,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "diagnosed with",
      verbs: "be get",
      after: /\s+(?:recently |just )?diagnosed\s+with\b/i,
      predicate: "has_condition",
      object: nouns,
    },
    effect: ({ phrase: { mode, negated } }) =>
      mode === "was" || mode === "holds" ? (negated ? undefined : {}) : undefined,
    accepts: ({ text }) => !/^(?:something|it)\b/i.test(text),
  }),
  verbRule({
    ...{
      name: "injured",
      verbs: "break sprain twist injure fracture tear dislocate hurt",
      predicate: "injured",
      object: part,
      effect: event,
      timing: "event",
    },
    when: ({ rest }) => /^\s+(?:my|his|her|an|a)\b/i.test(rest),
  }),
  verbRule({
    ...{ name: "takes", verbs: "take", predicate: "takes", object: medicine, effect: lasting },
    accepts: ({ text }) =>
      /^[\p{L}][\p{L}\d -]{3,25}$/u.test(text) && text.split(/\s/).length <= 2 && isMedicine(text),
  }),
  verbRule({
    ...{
      name: "afraid of",
      verbs: "be",
      after:
        /\s+(?:really |so |very |deathly |terribly |absolutely |also )?(?:afraid|scared|terrified|frightened)\s+of\b/i,
      predicate: "afraid_of",
      object: things,
      timing: "none",
    },
    effect: ({ phrase: { mode, negated, progressive } }) =>
      mode === "holds" && !progressive
        ? negated
          ? { affirmed: false }
          : {}
        : mode === "ended"
          ? { change: "end" }
          : undefined,
    accepts: ({ text }) =>
      text.split(/\s+/).length <= 3 &&
      (!/ing\b/.test(text.split(/\s/)[0] ?? "") ||
        /^(?:flying|driving|swimming|drowning|dying|falling|public speaking)$/i.test(text)),
  }),
  verbRule({
    ...{ name: "wears", verbs: "wear", predicate: "wears", object: nouns, effect: lasting, timing: "none" },
    when: ({ clause: { phrase } }) => !phrase.progressive && !phrase.perfect,
    accepts: ({ text }) =>
      /\b(?:glasses|contacts|contact lenses|lenses|hearing aids?|braces|bifocals|dentures|hijab|headscarf|turban|kippah|size \S+(?: shoes)?)$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "is on",
      verbs: "be",
      after: /\s+(?:still\s+|also\s+)?on\b/i,
      predicate: "takes",
      object: medicines,
      effect: be,
    },
    accepts: ({ text }) => isMedicine(text),
  }),
  verbRule({
    ...{ name: "came off", verbs: "come be go", after: /\s+off\b/i, predicate: "takes", object: thing },
    effect: ({ phrase: { lemma, mode, negated, perfect } }) =>
      !negated && mode !== "will" && (mode === "was" || perfect || lemma === "be")
        ? { change: "end" }
        : undefined,
    accepts: ({ text }) => isMedicine(text),
  }),
  verbRule({
    ...{
      name: "started a medicine",
      verbs: "start begin",
      predicate: "takes",
      object: medicine,
      effect: event,
    },
    accepts: ({ text }) => isMedicine(text),
  }),
  verbRule({
    ...{ name: "the one with an allergy", verbs: "be", after: /\s+the one with(?: the)?(?=\s)/i },
    ...{ predicate: "allergic_to", object: namedAllergy, effect: be, timing: "none" },
  }),
  verbRule({
    ...{ name: "tries a diet", verbs: "try do", predicate: "diet", object: dietary, effect: now },
  }),
  { verbs: ["be"], read: sober },
  { verbs: ["avoid", "quit", "cut"], read: withoutIt },
  verbRule({
    ...{ name: "will not eat", verbs: "eat touch", predicate: "eats", object: nouns, timing: "none" },
    effect: ({ phrase: { mode, negated } }) => (mode === "will" && negated ? { affirmed: false } : undefined),
    accepts: ({ text }, { subject }) =>
      /^(?:person|name|several)$/.test(subject.kind) && /^\p{Ll}+(?: \p{Ll}+)?$/u.test(text),
  }),
  { verbs: ["have"], read: fear },
  { verbs: ["put", "prescribe", "start", "take"], read: prescribed },
];

/** Medicines side by side, each without its dose. */
function medicines(text: string): readonly Piece[] {
  return nouns(text).map(({ text: found, at }) => ({ text: found.replace(dose, ""), at }));
}

const dose = /\s+\d+(?:[.,]\d+)?\s?(?:mg|mcg|µg|g|ml|units?)$/i;

const remedies =
  wordSet(`sinemet eliquis humira concerta elvanse wellbutrin ramipril bisoprolol naproxen codeine amoxicillin cetirizine loratadine
  thyroxine ventolin hydroxychloroquine colchicine spironolactone propranolol clonidine buspirone mirtazapine venlafaxine
  metformin ibuprofen aspirin insulin melatonin sertraline zoloft prozac xanax lexapro adderall ritalin
  vyvanse creatine vitamins antidepressants statins iron magnesium birth-control antihistamine antihistamines levothyroxine lisinopril
  omeprazole paracetamol tylenol warfarin prednisone lithium gabapentin semaglutide ozempic mounjaro methotrexate hrt
  painkillers steroids supplements multivitamins probiotics citalopram fluoxetine wegovy accutane spironolactone tamoxifen`);

function isMedicine(text: string): boolean {
  const word = text.toLowerCase().replace(dose, "");
  return (
    remedies.has(word) ||
    /^(?:vitamin \w{1,3}|blood thinners|beta blockers|(?:the )?pill|fish oil|omega-3|sleeping pills|iron tablets|(?:[\p{L}-]+ ){0,2}(?:medication|meds|antibiotics|antihistamines|beta blockers|blood thinners))$/u.test(
      word,
    ) ||
    /(?:statin|pril|sartan|olol|azole|mycin|cillin|oxetine|prazole|formin|dipine|zepam|zolam|tidine|parin|profen|codone|glutide|gliptin|asone|solone|triptan|mab|xaban|pezil|prost|lukast|faxine|zapine|trigine|gabalin|dronate|sartan|floxacin|dopa)$/.test(
      word,
    )
  );
}

/** "Omeprazole" of "20mg of omeprazole a day". */
function medicine(text: string): readonly Piece[] {
  const dose =
    /^\s+(?:\d+(?:[.,]\d+)?\s?(?:mg|mcg|µg|g|ml|units?|tablets?|pills?)\s+(?:of\s+)?)?/i.exec(text)?.[0]
      .length ?? 0;
  return medicines(
    ` ${text.slice(dose)}`.replace(
      /\s+(?:a|per|each|every|at|in) (?:day|week|night|morning|evening|bedtime)\b.*$/is,
      "",
    ),
  ).map((piece) => ({
    ...piece,
    at: piece.at + dose - 1,
  }));
}

/** Whether words name an illness by themselves: "my asthma". */
export function isIllness(text: string): boolean {
  const last = text.toLowerCase().replaceAll("’", "'").split(/\s+/).at(-1) ?? "";
  return (conditions.has(last) && !general.test(last)) || /\bhay ?fever$/i.test(text);
}

// Of these it takes another word to say what one has.
const general =
  /^(?:add|condition|pressure|disease|disorder|syndrome|cholesterol|allergies|flu|covid|cancer)$/;

function condition(text: string): readonly Piece[] {
  return nouns(text).filter(({ text: found }) => {
    const words = found.toLowerCase().replaceAll("’", "'").split(/\s+/);
    const last = words.at(-1) ?? "";
    return (
      words.length <= 4 &&
      (conditions.has(last) ||
        isIllness(found) ||
        /\b(?:chronic|back|neck|joint|knee|nerve) pain$|\p{L}{3,}(?:itis|aemia|pathy|algia|phobia|plegia)$/iu.test(
          found,
        )) &&
      !/^(?:condition|pressure|disease|disorder|syndrome|add)$/.test(found.toLowerCase()) &&
      !/(?:air|peer|time|good|low|great|perfect) (?:pressure|condition)/i.test(found)
    );
  });
}

/** "I'm diabetic": what somebody has, as what they are. */
function illness(text: string): readonly Piece[] {
  const match =
    /^\s+(?:an?\s+)?(?:also |mildly |severely |slightly |a bit |a little |\d{1,2} (?:weeks|months) |(?:two|three|four|five|six|seven|eight) months )?((?:type [12] )?diabetic|asthmatic|coeliac|celiac|dyslexic|dyspraxic|autistic|epileptic|claustrophobic|menopausal|perimenopausal|pre-?diabetic|hypertensive|arthritic|anaemic|anemic|colou?r-?blind|bipolar|pregnant|ha?emophiliac|(?:partially |half )?(?:deaf|blind)(?: in (?:one|my (?:left|right)) (?:ear|eye))?|hard of hearing|visually impaired)(?=\s*(?:$|[.,!;)(]|(?:and|but|so|in my|since|btw|with|again|now|also|too|as|if|which|though|because|at|from)\b))/iu.exec(
      text,
    );
  const [whole = "", word = ""] = match ?? [];
  return word === "" ? [] : [{ text: word, at: whole.indexOf(word) }];
}

function part(text: string): readonly Piece[] {
  const match =
    /^\s+(?:my|his|her|an?)\s+(?:(?:broken|sprained|torn|fractured|twisted|dislocated)\s+)?((?:(?:left|right|lower|upper|middle|big|little|index)\s+)*([\p{L}]+))/iu.exec(
      text,
    );
  const [whole = "", words = "", noun = ""] = match ?? [];
  return bodyParts.has(noun.toLowerCase()) ? [{ text: words, at: whole.length - words.length }] : [];
}

// What every diet has a part of.
const anyDiet = /vegan|veget|pesc[ae]|keto|paleo|kosher|halal|free|flexi|carniv|based/i;

function dietary(text: string): readonly Piece[] {
  if (!anyDiet.test(text)) return [];
  const match =
    /^\s+(?:fully |completely |strictly |mostly |mainly |pure |purely |basically |currently |still |on (?:a )?(?=keto\b|paleo\b)|both |all |an? |strict |lifelong |a strict )*((?:gluten|dairy|sugar|lactose|plant)[- ](?:free|based)|[\p{L}-]+?)s?(?=\s*(?:[.,!;)(]|$|and\b|but\b|so\b|for\b|since\b|in\b|last\b|because\b|as\b|if\b|though\b|only\b|from\b|until\b|i\b|while\b|which\b|household\b|family\b|couple\b|home\b|now\b|these\b|at\b|about\b|with\b|after\b|who\b|but\b|any|too\b|a\b|\d|two|three))/iu.exec(
      text,
    );
  const [whole = "", word = ""] = match ?? [];
  return diets.has(word.toLowerCase().replace(" ", "-"))
    ? [{ text: word, at: whole.length - word.length }]
    : [];
}

function dieting(clause: RuleContext["clause"]): ReturnType<Effect> {
  const { phrase } = clause;
  if (phrase.lemma === "be" && phrase.mode === "was") return state(clause);
  return /^(?:be|eat|keep)$/.test(phrase.lemma) || phrase.mode === "ended" ? lasting(clause) : past(clause);
}

function followed(text: string): readonly Piece[] {
  const match = /^\s+(?:on )?an?\s+(?:strict |mostly |fully |very )?([\p{L}-]+(?: [\p{L}-]+)?) diet\b/iu.exec(
    text,
  );
  const [whole = "", word = ""] = match ?? [];
  return word === "" || /^(?:new|healthy|balanced|healthier|better|good|special|specific|bad)$/i.test(word)
    ? []
    : [{ text: word, at: whole.indexOf(word) }];
}

function intolerance(text: string): readonly Piece[] {
  const match =
    /^\s+(?:also |severely |slightly |a bit |mildly )?(lactose|gluten|histamine|fructose)[- ]intolerant\b|^\s+intolerant to (\p{L}+)/iu.exec(
      text,
    );
  const word = match?.[1] ?? match?.[2];
  return word === undefined || match === null ? [] : [{ text: word, at: match[0].indexOf(word) }];
}

function namedAllergy(text: string): readonly Piece[] {
  const match = /^\s+(?:an?\s+)?(?:severe |bad |mild |serious )?(\p{L}+(?: \p{L}+)?) allergy\b/iu.exec(text);
  const word = match?.[1];
  return word === undefined ||
    match === null ||
    /^(?:food|severe|bad|mild|serious|slight|strong|new|skin|seasonal|an?|the)$/i.test(word)
    ? []
    : [{ text: word, at: match[0].indexOf(word) }];
}

/** "My GP put me on statins", "they prescribed me ramipril". */
function prescribed({ clause: { phrase }, whole }: RuleContext): readonly Draft[] {
  const lead = /^\s+me\s+(?:back\s+|straight\s+)?(?:on\s+|some\s+|off\s+)?/i.exec(whole)?.[0].length;
  const off = /^\s+me\s+off\b/i.test(whole);
  const [object] =
    lead === undefined || phrase.mode !== "was" || phrase.negated || off !== (phrase.lemma === "take")
      ? []
      : thing(whole.slice(lead));
  return object === undefined || !isMedicine(object.text)
    ? []
    : [
        {
          ...{
            subject: "user",
            predicate: "takes",
            object: object.text,
            timing: "state",
            reason: "prescribed",
          },
          ...(off ? { change: "end" } : {}),
        },
      ];
}

/** "I avoid gluten", "I quit caffeine", "I've cut out sugar". */
function withoutIt({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const [, object = ""] =
    /^\s+(?:out\s+)?(?:all\s+)?((?:red |processed |refined )?(?:gluten|dairy|sugar|alcohol|caffeine|coffee|meat|pork|beef|lactose|carbs|wheat|soy|salt|shellfish|nuts|fried food|fast food|junk food))(?=\s*(?:[.,!;)]|$|(?:and|or|but|so|since|because|for|now|in|last|this|two|three|a|these)\b))/i.exec(
      whole,
    ) ?? [];
  const avoids = phrase.lemma === "avoid";
  const holds = avoids ? phrase.mode === "holds" && !phrase.progressive : phrase.mode === "was";
  if (object === "" || !holds || phrase.negated || phrase.able || subject.kind === "attribute") return [];
  if (phrase.lemma === "cut" && !/^\s+out\b/i.test(whole)) return [];
  const predicate = /^(?:alcohol|caffeine|coffee)$/i.test(object) ? "drinks" : "eats";
  return [
    {
      ...{ subject: subject.text, predicate, object, reason: "without" },
      ...(avoids
        ? ({ affirmed: false, timing: "none" } as const)
        : ({ change: "end", timing: "state" } as const)),
    },
  ];
}

/** "I'm teetotal", "sober since 2019". */
function sober({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const said =
    /^\s+(?:completely |totally |basically )?(?:an? )?(?:teetotal(?:l?er)?\b|sober (?:since|for)\b)/i.test(
      whole,
    );
  return !said || phrase.mode !== "holds" || phrase.negated || subject.kind === "attribute"
    ? []
    : [
        {
          ...{ subject: subject.text, predicate: "drinks", object: "alcohol", affirmed: false },
          ...{ timing: "none", reason: "sober" },
        },
      ];
}

/** "I have a fear of heights". */
function fear({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const match =
    /^\s+an?\s+(?:\p{L}+ )?(?:fear|phobia)\s+of\s+([\p{L}-]+(?: [\p{L}-]+)?)(?=\s*(?:[.,!;]|$|and\b|so\b|but\b))/iu.exec(
      rest,
    );
  const object = match?.[1];
  if (
    object === undefined ||
    clause.phrase.mode !== "holds" ||
    clause.phrase.negated ||
    subject.kind === "attribute"
  )
    return [];
  return [{ subject: subject.text, predicate: "afraid_of", object, timing: "none", reason: "has a fear" }];
}
