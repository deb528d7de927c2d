import { canonicalPredicate } from "../src/facts/canonical.ts";
import type { ClaimChange } from "../src/facts/claim.ts";
import { relationOf } from "../src/facts/rules/kin.ts";
import { fold } from "../src/text/fold.ts";
import { type Share, wilson } from "./wilson.ts";

/** What a label says of a claim, and what an extractor gives. */
export interface ScoredClaim {
  readonly subject: string;
  readonly predicate: string;
  readonly object?: string | undefined;
  readonly affirmed?: boolean | undefined;
  readonly change?: ClaimChange | undefined;
}

/** One labelled text. */
export interface LabelledText {
  readonly text: string;
  /** ISO 8601. */
  readonly saidAt: string;
  readonly zone?: string | undefined;
  readonly speaker?: string | undefined;
  /** What has to be found. */
  readonly claims: readonly ScoredClaim[];
  /** What is right as well, and need not be found: other wordings among them. */
  readonly optional?: readonly ScoredClaim[] | undefined;
}

/** What is right, missing and wrong of one text. */
export interface TextScore {
  readonly right: readonly ScoredClaim[];
  /** Right as well, though it need not be found. */
  readonly accepted: readonly ScoredClaim[];
  readonly missed: readonly ScoredClaim[];
  /** Those of the missed ones that an accepted claim says in another wording. */
  readonly reworded: readonly ScoredClaim[];
  readonly wrong: readonly ScoredClaim[];
}

/**
 * Compares what was found with the labels, each used once. Two claims are the same when subject, predicate, object and state
 * are: subjects and objects by their folded words without articles, predicates in their canonical spelling, the state as
 * what holds (assert, correct), what is denied (not affirmed, retract) and what has ended (end). To dislike is not to like.
 * A label without an object takes any. What says the same in other words is the same: to have moved from a place and to live there
 * no more, not to drink something and to have none in one's diet; a label in a wider word ("partner") takes a closer one ("wife").
 */
export function scoreText(
  labels: readonly ScoredClaim[],
  found: readonly ScoredClaim[],
  optional: readonly ScoredClaim[] = [],
): TextScore {
  const missed = [...labels];
  const right: ScoredClaim[] = [];
  const accepted: ScoredClaim[] = [];
  const wrong: ScoredClaim[] = [];
  for (const claim of found) {
    const at = missed.findIndex((label) => same(label, claim));
    if (at >= 0) {
      right.push(claim);
      missed.splice(at, 1);
    } else if (optional.some((label) => same(label, claim))) accepted.push(claim);
    else wrong.push(claim);
  }
  const unused = [...accepted];
  const reworded = missed.filter((label) => {
    const at = unused.findIndex((claim) => rewords(label, claim));
    if (at >= 0) unused.splice(at, 1);
    return at >= 0;
  });
  return { right, accepted, missed, reworded, wrong };
}

/**
 * Whether a claim that is right says what a label says: of the same subject and that it holds, or does not, as there, and of the same
 * object in another predicate ("drives", "owns"), or in the same one of an object with more words or fewer ("Octavia", "old Octavia").
 */
function rewords(label: ScoredClaim, claim: ScoredClaim): boolean {
  const [a, b] = [standard(label), standard(claim)];
  if (a.subject !== b.subject || (a.state === "holds") !== (b.state === "holds") || a.object === "")
    return false;
  if (a.object === b.object) return true;
  const [fewer, more] = [a.object.split(" "), b.object.split(" ")].sort((x, y) => x.length - y.length);
  return a.predicate === b.predicate && fewer?.every((word) => more?.includes(word)) === true;
}

function same(label: ScoredClaim, claim: ScoredClaim): boolean {
  const [a, b] = [standard(label), standard(claim)];
  return (
    a.subject === b.subject &&
    (a.predicate === b.predicate || a.predicate === wider.get(b.predicate)) &&
    a.state === b.state &&
    (label.object === undefined || a.object === b.object)
  );
}

/** What somebody is to somebody else in a wider word: whoever has a son has a child. */
const wider: ReadonlyMap<string, string> = new Map([
  ...["girlfriend", "boyfriend", "wife", "husband", "fiance"].map(
    (noun) => [`has_${noun}`, "has_partner"] as const,
  ),
  ...["son", "daughter"].map((noun) => [`has_${noun}`, "has_child"] as const),
  ...["sister", "brother", "twin"].map((noun) => [`has_${noun}`, "has_sibling"] as const),
  ["has_best_friend", "has_friend"],
  ["has_twin_brother", "has_brother"],
  ["has_twin_sister", "has_sister"],
]);

interface Standard {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly state: "holds" | "denied" | "ended";
}

function standard(claim: ScoredClaim): Standard {
  const written = predicateOf(claim.predicate, claim.object ?? "");
  const denied = claim.affirmed === false || claim.change === "retract";
  const opposite = written === "dislikes";
  const left = written === "moved_from" && !denied;
  const state = claim.change === "end" || left ? "ended" : denied === opposite ? "holds" : "denied";
  // No pork in the diet, and no pork that is eaten.
  const avoided = state === "denied" && /^(?:diet|drinks)$/.test(written);
  return {
    subject: foldedWords(kinOf(claim.subject)),
    predicate: opposite ? "likes" : left ? "lives_in" : avoided ? "eats" : written,
    object: foldedWords(kinOf(claim.object ?? "")),
    state,
  };
}

/** How many there are is said of what is counted: `hens`, `has_hens` and `number_of_hens` are 14. A mum is a mother. */
function predicateOf(predicate: string, object: string): string {
  const counted = /^(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)/i.test(
    object,
  );
  const written = canonicalPredicate(
    predicate.replace(counted ? /^(?:number_of|has|have|owns)_/ : /^number_of_/, ""),
  );
  const [, noun = ""] = /^has_(.+)$/.exec(written) ?? [];
  return noun === "" ? written : `has_${relationOf(noun)?.noun ?? noun}`;
}

/** "user's mum" as "user's mother". */
function kinOf(text: string): string {
  const [, owner = "", noun = ""] = /^(.+)['’]s ([\p{L}-]+)$/u.exec(text) ?? [];
  return noun === "" ? text : `${owner}'s ${relationOf(noun.toLowerCase())?.noun ?? noun}`;
}

const skipped = new Set(["a", "an", "the", "my", "our", "his", "her", "their", "to"]);

/** Words as they are compared: folded, without articles and possessives of a person, and without punctuation. */
export function foldedWords(text: string): string {
  return (text.match(/[\p{L}\p{N}\p{M}$€£%@#+]+(?:[.'’&-][\p{L}\p{N}\p{M}]+)*[+#]*/gu) ?? [])
    .map((word) => fold(word.replaceAll("’", "'")))
    .filter((word) => !skipped.has(word))
    .join(" ");
}

export interface Figures {
  /** Of those that have to be found. */
  readonly right: number;
  readonly found: number;
  readonly labelled: number;
  readonly precision: Share | undefined;
  readonly recall: Share | undefined;
  /** Harmonic mean of both, between those of the ends of their intervals. */
  readonly f1: Share | undefined;
}

/** @param accepted those that are right though they need not be found */
export function figures(
  right: number,
  {
    accepted,
    found,
    labelled,
  }: { readonly accepted: number; readonly found: number; readonly labelled: number },
): Figures {
  const precision = wilson(right + accepted, found);
  const recall = wilson(right, labelled);
  const f1 =
    precision === undefined || recall === undefined
      ? undefined
      : {
          share: harmonic(precision.share, recall.share),
          low: harmonic(precision.low, recall.low),
          high: harmonic(precision.high, recall.high),
        };
  return { right, found, labelled, precision, recall, f1 };
}

function harmonic(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}
