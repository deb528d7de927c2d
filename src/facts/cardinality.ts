import type { Cardinality } from "./claim.ts";

/**
 * Predicates of which a subject has one object at a time. `works_at`, `works_as` and `lives_in` are among them, though some people have
 * two jobs or homes: "I started at Globex" nearly always means that Acme is over, and whoever keeps both can say `many`.
 */
const one: ReadonlySet<string> = new Set(
  (
    "name age birthday gender pronouns height weight zodiac_sign blood_type eye_color hair_color " +
    "lives_in born_in from grew_up_in staying_in address postcode country city timezone " +
    "works_at works_as works_in studies_at salary " +
    "married_to engaged_to dating marital_status has_wife has_husband has_partner has_girlfriend has_boyfriend has_fiance " +
    "has_mother has_father has_boss " +
    "diet religion native_language shoe_size wakes_up_at goes_to_bed_at mood status phase priority " +
    "deadline due_date budget price rent team_size version capital ceo owner located_in"
  ).split(" "),
);

/** Predicates of which a subject has any number of objects. Listed, since so is everything unknown, to say that it was thought about. */
const many: ReadonlySet<string> = new Set(
  (
    "likes dislikes prefers has_pet has_child has_son has_daughter has_sister has_brother has_friend has_colleague " +
    "knows visited owns speaks plays eats drinks uses reads watches listens_to habit skilled_in learning working_on " +
    "allergic_to intolerant_to has_condition takes plans_to wants_to goal attended met bought joined completed " +
    "graduated_from studies nationality email phone nickname is_a same_as member_of part_of"
  ).split(" "),
);

/** Whether it is known of a predicate how many objects there are: whoever guesses knows no better. */
export function isListed(predicate: string): boolean {
  return one.has(predicate) || many.has(predicate) || predicate.startsWith("favorite_");
}

/**
 * How many objects a subject has of a predicate at a time.
 *
 * @param predicate in its canonical form
 * @param hint of who states it; counts before what is known of the predicate
 */
export function cardinalityOf(predicate: string, hint?: Cardinality): Cardinality {
  if (hint !== undefined) return hint;
  if (many.has(predicate)) return "many";
  return one.has(predicate) || predicate.startsWith("favorite_") ? "one" : "many";
}

/** Predicates that exclude each other for the same object: who comes to dislike something does not like it any more. */
const opposites: readonly (readonly [string, string])[] = [["likes", "dislikes"]];

/** The predicates that are judged together: one, or two that exclude each other. */
export function predicatesBeside(predicate: string): readonly string[] {
  return opposites.find((pair) => pair.includes(predicate)) ?? [predicate];
}
