import { maxKeyBytes } from "../model/fact.ts";
import { base32, digest } from "../model/hash.ts";
import { normalForm } from "../model/normal-form.ts";
import { utf8Length } from "../model/unicode.ts";

/**
 * The form in which subjects and objects are compared: compatibility-composed (NFKC), in lower case, with single spaces, articles
 * kept. Of a longer one than `maxKeyBytes`, the beginning and a digest of the whole. Empty for a text of nothing but white space.
 */
export function canonicalKey(text: string): string {
  const key = normalForm(text.toWellFormed(), "NFKC")
    .toLowerCase()
    .replaceAll("\0", "\ufffd")
    .replace(/\s+/gu, " ")
    .trim();
  if (utf8Length(key) <= maxKeyBytes) return key;
  const rest = `~${base32(digest(key).subarray(0, 16))}`;
  const room = maxKeyBytes - utf8Length(rest);
  let [start, bytes] = ["", 0];
  for (const character of key) {
    bytes += utf8Length(character);
    if (bytes > room) break;
    start += character;
  }
  return start + rest;
}

/**
 * A predicate in the one spelling in which it is stored: `Name_Is`, `name-is`, `nameIs` and `name is` are `name_is`, and what says the
 * same in other words is one word: `resides in` is `lives_in`. Only a capital behind a small letter or a digit begins a word, so
 * `HTTPServer` is `httpserver`. Empty for one of nothing but separators.
 */
export function canonicalPredicate(text: string): string {
  const predicate = normalForm(text.toWellFormed(), "NFKC")
    .replaceAll("\0", "\ufffd")
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, "$1_$2")
    .replace(/[\s\-\u2010-\u2015]+/gu, "_")
    .toLowerCase()
    .replace(/^_+|_+$/g, "");
  return synonyms.get(predicate) ?? predicate.replace(/^favourite_/, "favorite_");
}

/** What is stored, and what else says it. Each of these is as good as the other in every sentence. */
const words: Readonly<Record<string, string>> = {
  name: "name_is is_called called is_named full_name first_name",
  nickname: "goes_by known_as",
  age: "age_is is_aged years_old",
  birthday: "date_of_birth birth_date birthdate born_on dob",
  lives_in:
    "live_in lives resides_in reside_in residence home_is home_city is_living_in living_in based_in moved_to located_in_city",
  born_in: "birthplace place_of_birth was_born_in",
  from: "comes_from is_from hometown home_town home_country",
  works_at:
    "work_at works_for work_for employed_by employed_at employer is_employed_by working_at started_at",
  works_as: "work_as job job_title occupation profession employed_as job_is working_as",
  works_in: "work_in working_in",
  studies_at: "study_at attends_school attends_university",
  studies: "study studying majors_in major",
  graduated_from: "alma_mater graduated_at",
  speaks: "speak speaks_language language",
  nationality: "citizenship citizen_of",
  email: "email_address e_mail mail_address",
  phone: "phone_number telephone telephone_number mobile",
  marital_status: "relationship_status civil_status",
  married_to: "spouse is_married_to spouse_is",
  has_pet: "have_pet pet pets owns_pet",
  has_child: "have_child has_children has_kid has_kids child children kid kids",
  owns: "own possesses has_car",
  likes: "like loves love enjoys enjoy fond_of is_fond_of adores hobby has_hobby hobbies",
  dislikes: "dislike hates hate detests does_not_like doesnt_like",
  prefers: "prefer preference",
  allergic_to: "is_allergic_to allergy has_allergy allergies",
  has_sibling: "has_siblings",
  has_boss: "has_manager reports_to",
  has_roommate: "has_flatmate has_housemate",
  has_mother: "has_mom has_mum",
  has_father: "has_dad",
  intolerant_to: "intolerance intolerant_of",
  has_condition: "medical_condition diagnosed_with suffers_from",
  injured: "fractured sprained has_injury injury",
  takes: "takes_medication takes_medicine medication",
  afraid_of: "fears scared_of is_afraid_of",
  skilled_in: "skill skills has_skill good_at is_good_at",
  goal: "goals has_goal",
  habit: "habits has_habit routine",
  knows: "know",
  plays: "play",
  eats: "eat",
  drinks: "drink",
  uses: "use",
  visited: "has_visited has_been_to been_to travelled_to traveled_to went_to",
  learning: "is_learning learns",
  plans_to: "plan_to intends_to planning_to",
  wants_to: "want_to would_like_to",
  is_a: "is_an instance_of type_of",
  same_as: "is_same_as alias alias_of also_known_as aka",
};

const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([predicate, others]) =>
    others.split(" ").map((other): [string, string] => [other, predicate]),
  ),
);
