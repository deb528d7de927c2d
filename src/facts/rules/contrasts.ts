import type { Draft, Rule, RuleContext } from "./rule.ts";

// Of what one can have several of, and of which another is denied beside.
const denied =
  /^(?:uses|likes|afraid_of|visited|knows|drinks|eats|speaks|plays|allergic_to|practices|listens_to|collects)$/;
// Of what one has one of at a time, so that another is none any more.
const replaced = /^(?:has_boss|works_at|lives_in)$/;

const beside =
  /(?:,|\s(?=but|and|instead|not))\s*(?:(?:but|and)\s+)?(not|never|no|instead of)\s+(?:(?<=never\s)to\s+)?(?!(?:really|much|so|very|only|just|always|sure|too|that|this|it|to|for|in|because|when|if|yet|even|as|at|with|on|by|more|less|all|any|every|the|longer|doubt|idea|problem|matter)\b)((?:[\p{L}\p{N}][\p{L}\p{N}.+#'’-]*\s?){1,3}?)(?=\s*(?:[.,!;)](?:\s|$)|$|though\b|either\b|at all\b|weirdly\b|anymore\b|lol\b|haha\b))/iu;

/**
 * What is denied or ended beside what a rule has read: "heights but not spiders", "to Japan, never China", "to Dolores instead of Kevin".
 * The rule has to take the other object in the same place.
 */
export function contrasts(context: RuleContext, rule: Rule, drafts: readonly Draft[]): readonly Draft[] {
  const { clause, rest, whole } = context;
  const but = instead(context, rule, drafts);
  if (but.length > 0) return but;
  const first = drafts.find(({ affirmed, change }) => affirmed === undefined && change === undefined);
  const object = first?.object;
  if (object === undefined || clause.phrase.negated || clause.phrase.mode === "ended") return [];
  const match = beside.exec(whole);
  const [, word = "", other = ""] = match ?? [];
  // What stands last is what the other is beside.
  const at = rest.indexOf(object);
  if (match === null || at < 0 || match.index < at) return [];
  // "Allergic to cats, not Giulia": somebody else is not.
  if (/^\p{Lu}/u.test(other) && /^\p{Ll}/u.test(object)) return [];
  const insteadOf = word.toLowerCase() === "instead of";
  const said = `${rest.slice(0, at)}${other.trim().replace(/\.$/, "")}${whole.slice(at + object.length, match.index)}`;
  return rule
    .read({ ...context, rest: said, whole: said, clause: { ...clause, rest: said } })
    .filter(
      ({ predicate, object: another }) =>
        predicate === first?.predicate &&
        (insteadOf ? replaced : denied).test(predicate) &&
        drafts.every(({ object: own }) => own !== another),
    )
    .map((draft) => (insteadOf ? { ...draft, change: "end" } : { ...draft, affirmed: false }));
}

const only =
  /,?\s+(?:but\s+)?(?:only|just)\s+(?!(?:in|at|on|if|when|because|for|with|the|a|an|to|once|twice|sometimes|that|this|it|not)\b)((?:[\p{L}\p{N}][\p{L}\p{N}.+#'’-]*\s?){1,3}?)(?=\s*(?:[.,!;)](?:\s|$)|$|so\b|now\b|though\b|these days\b))/iu;

/** "I don't drink coffee, only tea": what is so instead. */
function instead(context: RuleContext, rule: Rule, drafts: readonly Draft[]): readonly Draft[] {
  const { clause, whole } = context;
  if (
    !clause.phrase.negated ||
    !drafts.some(({ affirmed, predicate }) => affirmed === false && denied.test(predicate))
  )
    return [];
  const other = only.exec(whole)?.[1];
  if (other === undefined) return [];
  const said = ` ${other.trim()}`;
  const phrase = { ...clause.phrase, negated: false };
  return rule
    .read({ ...context, rest: said, whole: said, clause: { ...clause, phrase, rest: said } })
    .filter(({ predicate }) => denied.test(predicate));
}
