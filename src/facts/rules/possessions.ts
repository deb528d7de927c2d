import { type Piece, thing } from "./objects.ts";
import { type Draft, ending, event, lasting, type Rule, type RuleContext, state, verbRule } from "./rule.ts";
import { wordSet } from "./words.ts";

// What one has for years, so that buying it says that one owns it.
const durable =
  wordSet(`car truck van suv motorcycle motorbike bike bicycle scooter boat yacht kayak canoe rv camper house home
  apartment condo flat cottage cabin townhouse property land farm laptop computer pc desktop macbook phone iphone smartphone
  tablet ipad tv television console playstation xbox camera lens drone guitar piano keyboard violin cello ukulele drums
  fitbit garmin thermomix peloton playstation ps4 ps5 nintendo airpods sonos brompton nespresso chromebook thinkpad
  watch ring couch sofa bed mattress fridge fryer freezer blender mixer microwave stove cooker vacuum roomba projector refrigerator dishwasher oven washer dryer telescope treadmill skateboard
  surfboard snowboard skis tent printer monitor headphones speaker microphone grill mower tesla toyota honda ford bmw
  audi prius civic volvo subaru jeep mini vespa kindle e-reader switch gopro vinyl turntable sewing-machine machine store shop
  restaurant cafe bakery business company domain boots projector greenhouse caravan trailer necklace desk bookcase bookshelf chair sofa-bed fireplace hammock easel loom kiln aquarium typewriter gramophone amp amplifier
  synth synthesizer drone keyboard saxophone trumpet flute banjo harp canoe rowboat sailboat dinghy van campervan motorhome ebike e-bike moped
  quad tractor trike tandem allotment vineyard orchard garage sauna pool jacuzzi`);

/** What somebody owns, has bought, sold and given away. */
export const possessionRules: readonly Rule[] = [
  verbRule({
    ...{ name: "owns", verbs: "own", predicate: "owns", object: thing, effect: state },
    accepts: ({ text }) =>
      !/^(?:place|pace|mistakes?|up|way|time)$/i.test(text) &&
      !/^(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,3})\s+\p{Ll}/u.test(text),
  }),
  verbRule({
    ...{
      name: "runs a business",
      verbs: "run",
      predicate: "owns",
      object: thing,
      effect: lasting,
    },
    when: ({ rest }) => /^\s+(?:(?:my|our|his|her) own|an?)\s/i.test(rest),
    accepts: ({ text }) => isBusiness(text.replace(/^own /i, "")),
  }),
  verbRule({
    ...{
      name: "has",
      verbs: "have",
      predicate: "owns",
      object: thingsOwned,
      // "I don't have a monitor to test it with" is of the moment.
      effect: (clause) =>
        clause.phrase.negated && !/^\s+an?\s+\p{L}+\s*(?:[.,!;]|$)/u.test(clause.rest)
          ? undefined
          : lasting(clause),
    },
    when: ({ rest }) => /^\s+(?:an?|my own)\s/i.test(rest),
    accepts: ({ text }) =>
      isDurable(text) &&
      !/^(?:similar|great|good|nice|few|whole|full)\b|^(?:new )?(?:home|place)$|\b(?:setup|interview|issue|and)\b/i.test(
        text,
      ) &&
      !/^\d+-(?:minute|hour)/.test(text),
  }),
  verbRule({
    ...{
      name: "bought",
      verbs: "buy purchase",
      predicate: "owns",
      object: thing,
      after: /(?:\s+(?:myself|ourselves))?/i,
      effect: event,
    },
    when: ({ rest }) =>
      /^\s+(?:myself |ourselves )?(?:an?|my|our|own|the|\d)/i.test(rest) &&
      // "My wife a necklace".
      !/^\s+(?:my|our|the)\s+\p{L}+\s+(?:an?|some|the|new|this)\s/iu.test(rest) &&
      !/\s(?:for|to) (?:him|her|them|my|his|our|the|a)\b/i.test(rest.slice(0, 80)),
    accepts: ({ text }, { rest }) =>
      isDurable(text) ||
      isModel(text) ||
      // "A Traeger".
      (/^\s+an?\s+\p{Lu}\p{Ll}/u.test(rest) && /^\p{Lu}[\p{L}\d]+$/u.test(text)) ||
      /^(?:second-?hand|used|vintage|refurbished|brand new) \p{Lu}/u.test(text),
  }),
  verbRule({
    ...{ name: "got", verbs: "get", predicate: "owns", object: thing, effect: event },
    when: ({ rest }) =>
      /^\s+(?:myself |ourselves )?(?:an?|my) (?:brand[- ])?(?:new|used|first|second-hand|vintage)\b/i.test(
        rest,
      ),
    accepts: ({ text }) => isDurable(text),
  }),
  verbRule({
    ...{ name: "sold", verbs: "sell", predicate: "owns", object: thing, effect: ending },
    when: ({ rest }) => /^\s+(?:my|our|his|her|their|the)\b/i.test(rest),
    // "The Polo", of a car.
    accepts: ({ text }, { rest }) =>
      isDurable(text) ||
      (/^\s+(?:my|our|the)\s+(?:old )?\p{Lu}\p{Ll}/u.test(rest) &&
        /^(?:old )?\p{Lu}[\p{L}\d]+(?: \p{Lu}?[\p{L}\d]+)?$/u.test(text)),
  }),
  verbRule({
    ...{
      name: "gave away",
      verbs: "give donate",
      predicate: "owns",
      object: thing,
      effect: ending,
      after: /\s+away\b/i,
    },
    accepts: ({ text }) => isDurable(text),
  }),
  verbRule({
    ...{ name: "got rid of", verbs: "get", predicate: "owns", object: thing, effect: ending },
    after: /\s+rid of(?=\s+(?:my|our|the)\b)/i,
    accepts: ({ text }) => isDurable(text),
  }),
  verbRule({
    ...{ name: "picked up", verbs: "pick", predicate: "owns", object: thing, effect: event },
    after: /\s+up(?=\s+(?:an?|my|our)\b)/i,
    accepts: ({ text }) =>
      isDurable(text) || isModel(text) || /^(?:used|second-?hand|new) \p{Lu}/u.test(text),
  }),
  verbRule({
    ...{ name: "has an own one", verbs: "use drive ride take bring play", predicate: "owns", object: thing },
    effect: lasting,
    when: ({ rest, clause: { phrase } }) => /^\s+(?:my|our) own\b/i.test(rest) && !phrase.negated,
    accepts: ({ text }) => isDurable(text),
  }),
  { verbs: ["swap", "trade", "exchange", "replace"], read: swapped },
  { verbs: ["be", "get"], read: stolen },
  verbRule({
    ...{ name: "inherited", verbs: "inherit", predicate: "owns", object: thing, effect: event },
    accepts: ({ text }) => isDurable(text),
  }),
  verbRule({
    ...{ name: "gave away", verbs: "give", predicate: "owns", object: givenAway, effect: ending },
    accepts: ({ text }) => isDurable(text),
  }),
  verbRule({
    ...{
      name: "drives",
      verbs: "drive ride",
      predicate: "owns",
      object: thing,
      effect: ({ phrase: { mode, negated, progressive } }) =>
        mode === "holds" && !negated && !progressive ? {} : undefined,
    },
    when: ({ rest }) => /^\s+an?\s+(?:\d{4}\s+)?(?:\p{Ll}+\s+)?\p{Lu}/u.test(rest),
  }),
];

/** "My bike got stolen", "our old car was written off". */
function stolen({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const { attribute = "", kind, impersonal } = subject;
  const gone = /^\s+(?:stolen|written off|totalled|totaled|scrapped|sold)\b/i.test(whole);
  if (kind !== "attribute" || impersonal === true || !gone || phrase.negated || phrase.mode === "will")
    return [];
  return isDurable(attribute) && (phrase.lemma === "get" || phrase.mode === "was" || phrase.perfect)
    ? [
        {
          subject: subject.text,
          predicate: "owns",
          object: attribute,
          change: "end",
          timing: "state",
          reason: "gone",
        },
      ]
    : [];
}

/** "An iPhone and a Windows laptop". */
function thingsOwned(text: string): readonly Piece[] {
  const joint = /\s+and(?=\s+an?\s)/i.exec(text);
  if (joint === null) return thing(text);
  const at = joint.index + joint[0].length;
  return [
    ...thing(text.slice(0, joint.index)),
    ...thing(text.slice(at)).map((piece) => ({ ...piece, at: piece.at + at })),
  ];
}

/** "I swapped my Golf for an electric Kona". */
function swapped({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const [, from = "", to = ""] =
    /^(\s+(?:in\s+)?(?:(?:my|our)|the(?=\s+\p{Lu}))\s.{2,30}?)\s+(?:in\s+)?(?:for|with)(\s+an?\s[^,.;]{2,40}?)(?:[,.;].*)?$/isu.exec(
      rest,
    ) ?? [];
  const [old] =
    event(clause) === undefined || subject.kind === "attribute" ? [] : thing(from.replace(/^\s+in\b/, ""));
  const [next] = thing(to);
  if (
    old === undefined ||
    next === undefined ||
    /\b(?:button|component|class|function|hook|field|shift|slot|seat|day|string|list)\b/i.test(from + to)
  )
    return [];
  if (![old.text, next.text].every((text) => isDurable(text) || /\p{Lu}\p{Ll}|^\p{L}+ \d+$/u.test(text)))
    return [];
  const base = { subject: subject.text, predicate: "owns", timing: "state", reason: "swapped" } as const;
  return [
    { ...base, object: old.text, change: "end" },
    { ...base, object: next.text },
  ];
}

/** "Our piano away", "my old bike to my nephew". */
function givenAway(text: string): readonly Piece[] {
  const what =
    /^\s+(?:my|our|the)\s+[\p{L} -]{2,30}?(?=\s+(?:away|to (?:my|our|an?|the|charity|\p{Lu}\p{L}+))\b)/iu.exec(
      text,
    )?.[0];
  return what === undefined ? [] : thing(what);
}

/** "Canon R6": a brand with a number. */
function isModel(text: string): boolean {
  return /^\p{Lu}\p{L}+(?: \p{Lu}?[\p{L}\d-]+)? [\p{L}-]*\d[\p{L}\d-]*$/u.test(text);
}

function isBusiness(text: string): boolean {
  return /\b(?:business|shop|store|bakery|caf[eé]|restaurant|pub|bar|salon|studio|company|agency|consultancy|farm|gallery|bookshop|bookstore|hostel|hotel|guesthouse|b&b|gym|clinic|practice|firm|startup|brewery|nursery|kennel|garage|franchise|food truck|stall|boutique)$/iu.test(
    text,
  );
}

function isDurable(text: string): boolean {
  const words = text.toLowerCase().split(/[\s-]+/);
  return (
    words.length <= 5 &&
    words.some((word) => durable.has(word) || /.(?:boat|bike|house|truck|cycle|phone|board)$/.test(word)) &&
    !/\b(?:pet|cat|dog) bed$/i.test(text) &&
    !/\b(?:ticket|insurance|appointment|meeting|question|problem|issue|emergency|party|tour|loan|cover|case|tests?|game|class|lessons?|trip|ride|plan|accident|call|app|number|bed for|setup|set-up|interview|show|series|system|project|idea|design|model|repair|brand|shop idea|strap|licen[cs]e|key|battery|charger|fund|payment|lease|club)s?$/i.test(
      text,
    )
  );
}
