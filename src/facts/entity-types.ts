import { kin, organisationWords, placeWords } from "../text/name-words.ts";
import { findNames, type NameKind } from "../text/names.ts";
import type { Fact } from "./fact.ts";

export const entityTypes = ["person", "place", "org", "concept", "other"] as const;
export type EntityType = (typeof entityTypes)[number];

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

const personPredicates = words(
  "married_to engaged_to dating met friend_of sibling_of parent_of child_of reports_to manages mentored_by",
);
const placePredicates = words(
  "lives_in born_in from grew_up_in visited staying_in works_from located_in based_in moved_to travelled_to",
);
const organisationPredicates = words(
  "works_at studies_at graduated_from founded joined member_of volunteers_at interned_at",
);
const conceptPredicates = words(
  `works_as works_in studies degree speaks likes dislikes skilled_in knows learning uses plays eats drinks smokes watches reads
  listens_to practices allergic_to intolerant_to diet has_condition takes afraid_of interested_in religion zodiac_sign is_a`,
);
/** What only a person has, does or is. */
const personal = words(
  `name nickname age birthday nationality speaks pronouns born_in grew_up_in works_at works_as works_in works_from studies
  studies_at graduated_from degree married_to engaged_to dating marital_status reports_to wants_to plans_to goal`,
);
const pets = words("dog cat puppy kitten pet pup");
const relations = words(
  `parent fiancé stepmother stepfather stepsister stepbrother sibling child spouse relative assistant landlord tutor dentist
  lawyer student trainer nanny grandson granddaughter grandchild godmother godfather ex`,
);

const persons = words("person man woman boy girl child human guy lady");
const places = words("town country region state continent place neighbourhood neighborhood suburb capital");
const organisations = words(
  "company organisation organization startup firm employer team band charity newspaper magazine brand restaurant shop store",
);

/** What the predicate says about its object: that of `lives_in` is a place. Undefined when it says nothing. */
export function typeOfObject(predicate: string): EntityType | undefined {
  if (placePredicates.has(predicate)) return "place";
  if (organisationPredicates.has(predicate)) return "org";
  if (personPredicates.has(predicate)) return "person";
  if (conceptPredicates.has(predicate) || predicate.startsWith("favorite_")) return "concept";
  if (!predicate.startsWith("has_")) return undefined;
  const relation = predicate.slice("has_".length);
  if (pets.has(relation)) return "other";
  return kin.has(relation) || relations.has(relation) ? "person" : undefined;
}

/** What a fact says about its subject. */
export function typeOfSubject({
  predicate,
  object,
}: Pick<Fact, "predicate" | "object">): EntityType | undefined {
  if (predicate === "is_a") return typeOfNoun(object);
  if (personal.has(predicate)) return "person";
  return predicate.startsWith("has_") && typeOfObject(predicate) === "person" ? "person" : undefined;
}

function typeOfNoun(noun: string): EntityType {
  const last = noun.trim().toLowerCase().split(/\s+/u).at(-1) ?? "";
  if (persons.has(last)) return "person";
  if (places.has(last) || placeWords.has(last)) return "place";
  return organisations.has(last) || organisationWords.has(last) ? "org" : "other";
}

const types = { person: "person", place: "place", organisation: "org" } as const;

export function typeOfName(kind: NameKind): EntityType | undefined {
  return kind === "unknown" ? undefined : types[kind];
}

/** The kind of a text that is a name as a whole; undefined when it is none. */
export function nameKindOf(text: string): NameKind | undefined {
  if (!/\p{Lu}/u.test(text)) return undefined;
  const lead = "It is ";
  const [name, ...others] = findNames(`${lead}${text}`);
  const whole = name !== undefined && others.length === 0 && name.start === lead.length && name.text === text;
  return whole ? name.kind : undefined;
}
