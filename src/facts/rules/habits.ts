import { nounsInTurn } from "./lists.ts";
import { deed, nouns, type Piece, type ReadOptions, things, thingsAlone } from "./objects.ts";
import {
  type Draft,
  type Effect,
  event,
  lasted,
  lasting,
  type Rule,
  type RuleContext,
  verbRule,
} from "./rule.ts";
import { readVerb } from "./verb-forms.ts";
import { wordSet } from "./words.ts";

const frequency =
  /\b(?:most (?:days|mornings|afternoons|evenings|nights|weekends|weeks|of the time)|(?:almost |nearly |just about |basically |pretty much |practically |literally )?(?:every|each)\s+(?:single\s+|other\s+|second\s+)?(?:day|morning|afternoon|evening|night|week|weekend|month|year|weekday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|summer|winter|spring|fall|autumn|christmas|hour)s?(?:(?:,\s+|\s+and\s+)(?:mon|tues|wednes|thurs|fri|satur|sun)day){0,3}(?:\s+(?:morning|afternoon|evening|night))?|(?:once|twice|thrice|(?:two|three|four|five|six|seven|\d{1,2}|several|a few|a couple(?: of)?)(?:\s*(?:to|-|–)\s*(?:two|three|four|five|six|seven|\d{1,2}))? times)\s+(?:an?|per|each|every|in(?: an?)?)\s+(?:day|week|month|year)s?|\d\s?x\s?(?:a|per|\/|each)\s?(?:day|week|month)|(?:one|two|three|four|five|six|\d) (?:days?|nights?|mornings?|evenings?) (?:a|per|each|every) (?:week|month)|(?<=\b\d[\d.,]*k? [\p{L}-]{2,12} |\ban hour |\ba (?:mile|pack) )(?:a|per|each) (?:day|night|week)|daily(?!\s+\d)(?!\s+(?!at\b|for\b|with\b|in\b|on\b|and\b|but\b|from\b|to\b|before\b|after\b|so\b|now\b|because\b|since\b)\p{L})|(?:on |(?<!\b(?:for|from|to|until|except|of|the|my)\s))(?:mon|tues|wednes|thurs|fri|satur|sun)days(?:(?:,| and| &) (?:mon|tues|wednes|thurs|fri|satur|sun)days){0,4}|on weekends|on weekdays|at weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:morning|evening|night|afternoon)s|in the (?:mornings|evenings|afternoons)|(?:before|after) (?:bed|work|school|breakfast|lunch|dinner|class))\b/iu;

const daytime = /\bin the (?:morning|afternoon|evening)\b|\bat night\b/i;

const notHabits =
  wordSet(`be play prefer need want think feel know hope wish get see hear look seem mean like love hate find remember
  forget believe understand say tell ask try let learn appreciate wonder guess start stop keep help owe earn make pay spend
  weigh die lose miss check fail live work use struggle worry deal end enjoy show put set come give`);

/** What somebody does again and again, and what they eat, drink, play and watch. */
export const habitRules: readonly Rule[] = [
  { verbs: [""], read: habit },
  verbRule({
    ...{ name: "plays", verbs: "play", predicate: "plays", object: game, effect: playing, timing: "none" },
    when: ({ clause: { phrase } }) => !phrase.progressive || phrase.perfect,
  }),
  verbRule({
    // "I've taken up bowls".
    ...{
      name: "took up",
      verbs: "take",
      after: /\s+up\b/i,
      predicate: "plays",
      object: game,
      effect: event,
      timing: "none",
    },
  }),
  verbRule({
    ...{ name: "eats", verbs: "eat have do", predicate: "eats", object: nouns, effect: diet, timing: "none" },
    when: ({ clause: { phrase } }) =>
      phrase.lemma !== "eat" ? phrase.able && phrase.negated : phrase.negated || phrase.mode === "ended",
    accepts: (object, context) =>
      (context.clause.phrase.lemma === "eat" || foods.test(object.text)) &&
      always(object, context) &&
      !/^(?:much|enough|well|out|late|before|healthy|anymore|like|properly|up)\b/i.test(object.text),
  }),
  verbRule({
    // "I eat fish now", of what some do not.
    ...{ name: "eats", verbs: "eat", predicate: "eats", object: foodsInTurn, effect: diet, timing: "none" },
    when: ({ clause: { phrase }, whole }) =>
      phrase.mode === "holds" &&
      !phrase.negated &&
      !phrase.able &&
      !frequency.test(whole) &&
      !/\b(?:too|so) (?:much|many)\b|\b(?:when|if|sometimes|occasionally|once)\b/i.test(whole),
  }),
  verbRule({
    ...{ name: "drinks", verbs: "drink", predicate: "drinks", object: nouns, effect: diet, timing: "none" },
    accepts: (object, context) =>
      !/^\s+like\b/i.test(context.rest) &&
      !/^(?:much|enough|more|less|up|out|responsibly|lots?|too|and|water|any ?more|sober|from)\b|\bsober\b|\s(?:black|strong|iced|hot|cold|neat)$/i.test(
        object.text,
      ) &&
      !/^(?:one|two|three|four|five|six|\d+|a few|several)\s/i.test(object.text) &&
      always(object, context),
  }),
  verbRule({
    // "I have a glass of wine with dinner".
    ...{
      name: "has a drink",
      verbs: "have",
      predicate: "drinks",
      object: nouns,
      effect: again,
      timing: "none",
    },
    after: /\s+(?:an?|one|the odd|the occasional)\s+(?:small |large )?(?:glass|pint|cup|bottle|can)\s+of\b/i,
    when: ({ clause: { phrase }, whole }) =>
      !phrase.negated &&
      !phrase.progressive &&
      (phrase.habitual ||
        frequency.test(whole) ||
        /\bwith (?:dinner|lunch|my dinner|meals)\b|\bin the evenings?\b/i.test(whole)),
    accepts: ({ text }) => beverages.test(text),
  }),
  verbRule({
    ...{
      name: "does a sport",
      verbs: "do",
      predicate: "practices",
      object: nouns,
      effect: again,
      timing: "none",
    },
    when: ({ clause: { phrase }, whole }) =>
      phrase.mode === "holds" && !phrase.progressive && !phrase.able && !frequency.test(whole),
    accepts: ({ text }) =>
      /^(?:(?:hot |power |aerial )?yoga|pilates|karate|judo|jiu-?jitsu|bjj|taekwondo|aikido|kendo|tai chi|ballet|gymnastics|crossfit|weightlifting|powerlifting|martial arts|boxing|kickboxing|parkour|improv|capoeira|zumba|triathlons)$/i.test(
        text,
      ),
  }),
  { verbs: ["drink", "smoke"], read: abstains },
  { verbs: ["give up"], read: gaveUp },
  { verbs: ["be"], read: isOff },
  { verbs: ["sing", "act", "dance"], read: inGroup },
  verbRule({
    // "I keep bees", "we keep chickens".
    ...{ name: "keeps animals", verbs: "keep", predicate: "habit", effect: again, timing: "none" },
    object: (text) => {
      const [, kind] =
        /^\s+(?:some |a few |two |three |four |five |six |\d+ )?(bees|chickens|hens|ducks|goats|pigs|sheep|alpacas|rabbits|pigeons|quails?|geese|horses|koi|tarantulas|snakes|reptiles|an allotment)(?=\s*(?:[.,;!()]|$|\p{Ll}))/u.exec(
          text,
        ) ?? [];
      return kind === undefined ? [] : [{ text: `keep ${kind}`, at: text.indexOf(kind) }];
    },
  }),
  verbRule({
    ...{ name: "watches", verbs: "watch", predicate: "watches", object: things, timing: "none" },
    effect: ({ phrase: { mode, negated, progressive, able, perfect } }) =>
      mode === "ended" && !negated
        ? { change: "end" }
        : mode === "holds" && negated && !progressive && !able && !perfect
          ? { affirmed: false }
          : undefined,
    accepts: ({ text }, { clause: { phrase } }) =>
      !phrase.negated ||
      /^(?:(?:much|any|a lot of) )?(?:tv|television|(?:\p{L}+ )?(?:movies|films|sports?|news|series|shows|anime|football|youtube|netflix|soaps))$/iu.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "practises",
      verbs: "practice practise",
      predicate: "practices",
      object: nouns,
      effect: (clause) => again(clause) ?? lasted(clause),
      timing: "none",
    },
    when: ({ clause: { phrase } }) => !phrase.progressive,
    accepts: ({ text }) =>
      /^[\p{L}\s-]{3,25}$/u.test(text) && !/^(?:more|my|what|every|hard|self|writing|for|at)\b/i.test(text),
  }),
  verbRule({
    ...{
      name: "listens to",
      verbs: "listen",
      after: /\s+to(?:\s+a lot of|\s+mostly|\s+lots of)?\b/i,
      predicate: "listens_to",
      object: thingsAlone,
      timing: "none",
    },
    effect: again,
    when: ({ clause: { phrase }, whole }) =>
      !phrase.progressive &&
      !/^\s+to\s+(?:an?|you|him|her|them|me|us|my|your|his|their|it|this|that|what|the)(?![\p{L}])(?!\s(?:\p{Lu}|radio\b))/u.test(
        whole,
      ) &&
      (phrase.negated ||
        phrase.mode === "ended" ||
        !/^\s+to\s+(?:music|songs|people|advice|feedback|reason)\b/i.test(whole) ||
        phrase.habitual ||
        /\b(?:on my (?:commute|way|walk|run)|every|while (?:i|cooking|driving|running|working))\b/i.test(
          whole,
        )),
  }),
];

/** "Never coffee after noon" is coffee at times. */
function always(object: Piece, { clause, whole }: RuleContext): boolean {
  return (
    !clause.phrase.negated ||
    !/^\s+(?:after|before|at|during|with|without|in the|on|unless|when|while|late|from)\b/i.test(
      whole.slice(object.at + object.text.length),
    )
  );
}

/** "I play", "I can play". */
function playing(clause: RuleContext["clause"]): ReturnType<Effect> {
  const { phrase } = clause;
  if (phrase.able && phrase.mode === "holds") return phrase.negated ? { affirmed: false } : {};
  // "I haven't played guitar in years".
  if (
    phrase.perfect &&
    phrase.negated &&
    /\b(?:in|for) (?:years|ages|months|decades|a long time)\b|\bsince\b/i.test(clause.rest)
  )
    return { change: "end" };
  if (lasted(clause) !== undefined) return {};
  // "I've been playing since I was twelve".
  if (phrase.perfect && phrase.progressive && phrase.mode === "holds" && !phrase.negated) return {};
  return again(clause);
}

function again(clause: RuleContext["clause"]): ReturnType<Effect> {
  const effect = lasting(clause);
  return effect === undefined || clause.phrase.perfect ? undefined : effect;
}

/** "I don't eat", "I never drink", "I stopped drinking"; "I can't eat gluten". */
function diet({ phrase, rest }: RuleContext["clause"]): ReturnType<Effect> {
  // "I haven't eaten red meat since 2018".
  if (
    phrase.perfect &&
    phrase.negated &&
    /\b(?:since|for|in) (?:(?:\d+|\p{L}+) )?(?:\d{4}|years|months|ages|decades|i was|january|college|school)\b/iu.test(
      rest,
    )
  )
    return { affirmed: false };
  if (phrase.mode === "was" || phrase.mode === "will" || phrase.progressive) return undefined;
  if (phrase.mode === "ended") return phrase.negated ? undefined : { change: "end" };
  if (phrase.perfect) return undefined;
  if (phrase.able) return phrase.negated ? { affirmed: false } : undefined;
  return phrase.negated ? { affirmed: false } : {};
}

const instruments =
  wordSet(`guitar piano cello violin viola drums bass flute clarinet saxophone sax trumpet trombone harp ukulele
  banjo mandolin accordion harmonica organ keyboard keyboards oboe bassoon recorder sitar tuba fiddle oud lute lyre
  darbuka djembe tabla cajon bongos kora erhu koto shamisen bagpipes concertina euphonium horn cornet piccolo marimba
  xylophone bodhran melodeon tin-whistle pipes hurdy-gurdy dulcimer autoharp glockenspiel timpani vibraphone bugle ocarina theremin synth`);
const sports =
  wordSet(`tennis football soccer basketball baseball volleyball hockey golf cricket rugby badminton squash chess poker
  handball lacrosse softball padel pickleball pool billiards bridge go darts frisbee polo sudoku minecraft fortnite scrabble dnd
  table-tennis ping-pong ultimate snooker five-a-side 5-a-side futsal netball bowls bowling dominoes mahjong dodgeball kabaddi curling
  hurling camogie shinty petanque croquet d&d warhammer carrom ludo backgammon shogi mancala rounders paintball airsoft floorball korfball ringette pétanque boccia quidditch valorant`);

/** An instrument or a game; of others, what a capital names. */
function game(text: string, options: ReadOptions): readonly Piece[] {
  return games(text, options);
}

const games = nounsInTurn((found) => {
  const words = found.toLowerCase().split(/\s+/);
  return (
    words.length <= 3 &&
    (instruments.has(words.at(-1) ?? "") ||
      sports.has(words.at(-1) ?? "") ||
      /^table tennis|video games$/i.test(found) ||
      // "Stardew Valley".
      /^\p{Lu}\p{Ll}+ (?:of |the |and )?\p{Lu}\p{Ll}+$/u.test(found))
  );
});

/** "I don't drink", "I quit smoking". */
function abstains({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const effect = diet(clause);
  if (effect === undefined || subject.kind === "attribute" || clause.phrase.able) return [];
  if (
    !/^\s*(?:$|[.,!;]|(?:any ?more|at all|and|or|but|now|since|in|last|because|so|cold turkey|(?:an?|two|three|four|five|six|seven|ten|\d+)(?: (?:years?|months?|weeks?)\b| (?:or \w+ )?(?:packs?|packets?|cigarettes|a day|fags))|cigarettes|when|only|socially|occasionally)\b)/i.test(
      rest,
    )
  )
    return [];
  if (effect.affirmed === undefined && effect.change === undefined && clause.phrase.lemma === "drink")
    return [];
  const drinks = clause.phrase.lemma === "drink";
  return [
    {
      ...{
        subject: subject.text,
        predicate: drinks ? "drinks" : "smokes",
        timing: "state",
        reason: drinks ? "drinks" : "smokes",
        ...effect,
      },
      ...(drinks ? { object: "alcohol" } : effect.change === "end" ? {} : { object: "cigarettes" }),
    },
  ];
}

export const beverages =
  /^(?:alcohol|coffee|soda|wine|beer|caffeine|tea|booze|energy drinks|soft drinks|cola|coke)$/i;
const foods =
  /^(?:sugar|meat|red meat|dairy|gluten|bread|carbs|chocolate|sweets|fast food|junk food|cheese|pork|beef|eggs|seafood|candy|fish|chicken|processed food|(?:\p{L}+ )?nuts|peanuts|wheat|soy|soya|lactose|milk|shellfish|prawns|tomatoes|mushrooms|onions|garlic|spicy food|caffeine|yeast|oats)$/iu;

function foodsInTurn(text: string, options: ReadOptions): readonly Piece[] {
  return nounsInTurn((food) => foods.test(food))(text, options);
}

/** "I gave up sugar". */
function gaveUp(context: RuleContext): readonly Draft[] {
  const { phrase } = context.clause;
  return phrase.mode !== "was" || phrase.negated ? [] : withoutIt(context, context.rest);
}

/** "I sing in the choir". */
function inGroup({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const where =
    /^\s+((?:(?:alto|tenor|bass|soprano|lead|backing vocals) )?(?:in|with) (?:an?|the|my|our) (?:[\p{L}'’-]+ ){0,2}?(?:choir|band|orchestra|quartet|troupe|theatre group|ensemble|team|club|league))(?=\s*(?:[.,!;]|$|and\b|but\b|so\b|on\b|every\b|called\b))/iu.exec(
      whole,
    )?.[1];
  return where === undefined ||
    frequency.test(whole) ||
    subject.kind === "attribute" ||
    (phrase.mode !== "holds" && phrase.mode !== "ended") ||
    phrase.negated ||
    phrase.progressive ||
    phrase.able
    ? []
    : [
        {
          ...{ subject: subject.text, predicate: "habit", object: `${phrase.lemma} ${where}` },
          ...(phrase.mode === "ended"
            ? ({ change: "end", timing: "state" } as const)
            : ({ timing: "none" } as const)),
          reason: "in a group",
        },
      ];
}

/** "I'm off dairy". */
function isOff(context: RuleContext): readonly Draft[] {
  const { phrase } = context.clause;
  const lead = /^\s+off(?:\s+the)?(?=\s)/i.exec(context.rest)?.[0].length;
  return lead === undefined ||
    phrase.mode !== "holds" ||
    phrase.negated ||
    /\b(?:until|till|today|tonight|this)\b/i.test(context.whole)
    ? []
    : withoutIt(context, context.rest.slice(lead));
}

/** What somebody eats, drinks or smokes no more. */
function withoutIt(context: RuleContext, rest: string): readonly Draft[] {
  const { subject } = context;
  if (subject.kind === "attribute") return [];
  // "For January", "for Lent".
  if (/\sfor\s+(?:\p{Lu}|an?\s|\d|the\s)/u.test(context.whole)) return [];
  return nouns(rest).flatMap(({ text }): readonly Draft[] => {
    // "I gave up golf".
    if (games(` ${text}`, { lowerCase: false }).length > 0)
      return [
        {
          subject: subject.text,
          predicate: "plays",
          object: text,
          change: "end",
          timing: "state",
          reason: "gave up",
        },
      ];
    const predicate = beverages.test(text)
      ? "drinks"
      : foods.test(text)
        ? "eats"
        : /^(?:smoking|cigarettes)$/i.test(text)
          ? "smokes"
          : undefined;
    if (predicate === undefined) return [];
    const object = predicate === "smokes" ? {} : { object: text };
    return [
      { subject: subject.text, predicate, ...object, change: "end", timing: "state", reason: "gave up" },
    ];
  });
}

/** "Every morning I run five miles": how often stands before. */
function before({ clause: { lead, phrase }, subject, rest }: RuleContext): readonly Draft[] {
  const often = /^\s*(?:(?:and|but|so)\s+)?(.+?),?\s*$/is.exec(lead)?.[1] ?? "";
  const match = frequency.exec(often);
  if (match === null || match.index > 0 || match[0].length !== often.length) return [];
  const [object] = deed(` ${phrase.lemma}${rest}`);
  return object === undefined || phrase.lemma === "be" || /\b(?:you|your|it|this|that)\b/i.test(object.text)
    ? []
    : [
        {
          subject: subject.text,
          predicate: "habit",
          object: /most of the time/i.test(often) ? object.text : `${object.text} ${often.toLowerCase()}`,
          timing: "none",
          reason: "habit",
        },
      ];
}

const unclear =
  /\b(?:you|your|it|this|that|these|those|them|one|ones|there|here|what|things?|something|anything|everything)\b|\b(?:up|to|with|at|on|for|about|of|in)$/i;

/** "I usually wake up at six": said to be so again and again, without how often. */
function usual({ clause, subject, rest, sentence }: RuleContext): readonly Draft[] {
  const { phrase, lead, subjectAt } = clause;
  // "When I'm there, I usually …", "to make sure I always …", and of others beside: not in general.
  const plain =
    /^I\s/i.test(sentence.slice(subjectAt)) &&
    /^\W*(?:(?:and|so|but|yes|yeah|oh|well|for \p{L}+(?: \p{L}+)?)\W*)?$/iu.test(lead);
  if (
    !phrase.habitual ||
    phrase.lemma === "listen" ||
    subject.kind !== "user" ||
    !plain ||
    /\b(?:when|where|if|which)\b/i.test(sentence.slice(0, subjectAt))
  )
    return [];
  const [object] = deed(` ${phrase.lemma}${rest}`);
  return object === undefined ||
    !/^\p{L}+\s+\p{L}/u.test(object.text) ||
    unclear.test(object.text) ||
    /^(?:be|agree|code|program|wonder|end|run into|fall|mess|mix)\b|^\p{L}+ed\b/iu.test(object.text)
    ? []
    : [{ subject: subject.text, predicate: "habit", object: object.text, timing: "none", reason: "usually" }];
}

const clock =
  /\b(?:at|around|about|by|before)\s+(?:about\s+|around\s+)?(?:\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\b)?|half (?:past )?\p{L}+|quarter (?:to|past) \p{L}+|(?:five|six|seven|eight|nine|ten|eleven|twelve|one|two|three|four)(?:[- ](?:thirty|fifteen|forty-five))?|noon|midnight|dawn|sunrise)(?=\s*(?:$|[.,!;)]|on\b|and\b|so\b|but\b|every\b|most\b|in the\b|o'clock\b|sharp\b|because\b|to\b|for\b|these\b|now\b|at night\b))/iu;
const timed = /^(?:wake up|get up|go to (?:bed|sleep)|start work|finish work|leave for work|start my day)\b/i;

/** "I get up at six". */
function atTime({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const time = clock.exec(whole);
  if (time === null || time.index > 30) return [];
  const more = frequency.exec(whole.slice(time.index + time[0].length));
  const end = time.index + time[0].length + (more !== null && more.index === 1 ? 1 + more[0].length : 0);
  return [
    {
      subject: subject.text,
      predicate: "habit",
      object: `${phrase.lemma}${whole.slice(0, end)}`,
      timing: "none",
      reason: "at a time",
    },
  ];
}

/** "I cycle to work". */
function usualWay({ clause: { phrase }, subject, rest }: RuleContext): readonly Draft[] {
  return deed(` ${phrase.lemma}${rest}`).map(({ text }) => ({
    ...{ subject: subject.text, predicate: "habit", object: text, timing: "none", reason: "way to work" },
  }));
}

const readElsewhere = wordSet(
  "eat drink smoke speak study teach own date watch listen practice practise follow take code read collect write",
);

/** "I used to do triathlons": a habit that is none any more, of verbs that no other rule reads. */
function former({ clause: { phrase }, subject, rest, whole }: RuleContext): readonly Draft[] {
  if (subject.kind !== "user" || phrase.negated || phrase.able) return [];
  if (notHabits.has(phrase.lemma) || readElsewhere.has(phrase.lemma) || /\bany ?more\b/i.test(whole))
    return [];
  const [object] = deed(` ${phrase.lemma}${rest}`);
  return object === undefined ||
    !/^\p{L}+\s+\p{L}/u.test(object.text) ||
    unclear.test(object.text) ||
    /^(?:have|go out|afford|\p{L}+ing)\b/iu.test(object.text)
    ? []
    : [
        {
          subject: subject.text,
          predicate: "habit",
          object: object.text,
          change: "end",
          timing: "state",
          reason: "used to",
        },
      ];
}

/** "I work nights", "I work part-time". */
function shifts({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const what =
    /^\s+((?:mostly |mainly )?(?:nights?|night shifts|weekends|shifts|part[- ]time|full[- ]time|remotely|freelance|double shifts|night duty|the (?:late|early|night) shift))(?=\s*(?:$|[.,!;)]|and\b|but\b|so\b|now\b|these\b))/i.exec(
      whole,
    )?.[1];
  return what === undefined || phrase.mode !== "holds"
    ? []
    : [
        {
          subject: subject.text,
          predicate: "habit",
          object: `work ${what}`,
          timing: "none",
          reason: "shifts",
        },
      ];
}

/** "I run every morning": the verb with what belongs to it and how often. */
function habit(context: RuleContext): readonly Draft[] {
  const { clause, subject, whole, sentence } = context;
  const { phrase } = clause;
  if (subject.kind !== "user" && subject.kind !== "person" && subject.kind !== "name") return [];
  if (phrase.mode === "ended") return former(context);
  if (
    phrase.mode !== "holds" ||
    phrase.negated ||
    phrase.able ||
    (phrase.progressive && !phrase.perfect) ||
    (phrase.perfect && !phrase.begun && !(phrase.progressive && frequency.test(whole)))
  )
    return [];
  // After "I", any word in small letters is a verb.
  if (
    readVerb(phrase.lemma).length === 0 &&
    !(subject.kind === "user" && /^(?:feed|need|weed|breed)$|^\p{Ll}{3,}(?<!ed|ing|s)$/u.test(phrase.lemma))
  )
    return [];
  if (clock.test(whole) && timed.test(`${phrase.lemma}${whole}`)) return atTime(context);
  if (phrase.lemma === "work" && !/^\s+(?:from home|remotely|out)\b/.test(whole))
    return [...before(context), ...shifts(context)];
  // "I work from home mostly, office on Tuesdays".
  if (phrase.lemma === "work" && !frequency.test(whole.split(",")[0] ?? ""))
    return [...before(context), ...shifts(context)];
  if (
    /^(?:(?:commute|cycle|walk|bike|drive) (?:to (?:work|school|uni|university|the office)|by (?:train|bus|bike|car|tram|ferry|metro|tube|subway))|take the (?:train|bus|tram|ferry|metro|tube|subway) to (?:work|school|uni|university|the office))\s*(?:[.,!;]|$|and\b|but\b|so\b|because\b)/i.test(
      `${phrase.lemma}${whole}`,
    ) &&
    subject.kind === "user"
  )
    return usualWay(context);
  if (notHabits.has(phrase.lemma) && phrase.lemma !== "work" && !/^\s+up\b/.test(whole))
    return /^(?:make|get|spend|put)$/.test(phrase.lemma) ? usual(context) : [];
  const often = frequency.exec(whole) ?? (phrase.habitual ? daytime.exec(whole) : null);
  if (often === null) {
    const stated = before(context);
    return stated.length > 0 ? stated : usual(context);
  }
  // "At Science Daily".
  if (often.index > 60 || often[0].startsWith("Daily")) return [];
  // "Before bed every night": what follows at once belongs to it.
  const more = frequency.exec(whole.slice(often.index + often[0].length));
  const end = often.index + often[0].length + (more !== null && more.index === 1 ? 1 + more[0].length : 0);
  const between = whole.slice(0, often.index);
  // "Having Friday nights together".
  if (
    phrase.lemma === "have" &&
    (between.trim() === "" || /\b(?:my|the|next|scheduled|booked|planned|\d+)\b/i.test(between))
  )
    return [];
  if (
    /[.!?;()"*]|:(?!\d)|\b(?:maybe|probably|that|which|because|so|but|if|when|you|your|it|this|these|those|them)\b/i.test(
      between,
    )
  )
    return [];
  // "I've been going three times a week": where, another sentence says.
  if (phrase.perfect && between.trim() === "" && /^(?:go|do|practi[cs]e|meet)$/.test(phrase.lemma)) return [];
  // "A cottage that we go to every summer".
  if (/^\s+(?:to|at|in|on|with|for|by)\s*$/i.test(between)) return [];
  // What one takes as a medicine has a rule of its own.
  if (phrase.lemma === "take" && !/^\s+(?:an?|the|my)\s/i.test(whole)) return [];
  // "I've started journaling before bed".
  const verb = phrase.begun
    ? (/\S+$/.exec(sentence.slice(0, clause.restAt))?.[0] ?? phrase.lemma)
    : phrase.lemma;
  // "With my sister" says more than what is done.
  const company =
    /\s+with\s+(?:my|our|his|her|some|two|three|friends|an?\s+(?:friend|colleague|mate|neighbou?r)|\p{Lu})(?![\p{Ll}]*ing\b).*$/su.exec(
      between,
    )?.index;
  const object =
    company === undefined || company === 0
      ? `${verb}${whole.slice(0, end)}`
      : `${verb}${whole.slice(0, company)} ${whole.slice(often.index, end)}`;
  return [{ subject: subject.text, predicate: "habit", object, timing: "none", reason: "habit" }];
}
