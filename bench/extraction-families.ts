import { canonicalPredicate } from "../src/facts/canonical.ts";

const families: Readonly<Record<string, string>> = {
  names: "name nickname same_as",
  places: "lives_in born_in from grew_up_in visited staying_in works_from",
  work: "works_at works_as works_in studies studies_at graduated_from degree founded teaches",
  relations: "married_to engaged_to dating marital_status",
  things: "owns has_pet is_a bought car",
  taste: "likes dislikes prefers",
  habits: "habit plays eats drinks smokes watches reads listens_to practices",
  health: "allergic_to intolerant_to diet has_condition takes injured afraid_of",
  skills: "speaks skilled_in knows learning uses",
  plans: "plans_to wants_to goal working_on training_for saving_for reading",
  events: "attended met joined completed started won adopted passed published signed_up_for",
  personal: "age birthday nationality height weight email phone pronouns zodiac_sign",
};
const byPredicate = new Map(
  Object.entries(families).flatMap(([family, predicates]) =>
    predicates.split(" ").map((predicate) => [predicate, family] as const),
  ),
);

/** Of what kind a predicate is. All that no other family has are attributes. */
export function familyOf(predicate: string): string {
  const name = canonicalPredicate(predicate);
  if (name.startsWith("favorite_")) return "taste";
  return byPredicate.get(name) ?? (name.startsWith("has_") ? "relations" : "attributes");
}
