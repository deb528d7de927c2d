import { wordSet } from "./words.ts";

/** What somebody is to somebody else. */
export interface Relation {
  /** The noun in the form that predicates and unnamed subjects have: "mother" for "mum". */
  readonly noun: string;
  readonly gender?: "female" | "male";
  /** Several people, who have no name of their own. */
  readonly plural?: true;
}

const table = new Map<string, Relation>();

function relations(words: string, noun: string, gender?: Relation["gender"]): void {
  for (const entry of words.split(" ")) table.set(entry, gender === undefined ? { noun } : { noun, gender });
}

relations("sister sis", "sister", "female");
relations("brother bro", "brother", "male");
relations("mother mom mum mama mommy mam", "mother", "female");
relations("father dad papa daddy", "father", "male");
relations("stepmother stepmom stepmum", "stepmother", "female");
relations("stepfather stepdad", "stepfather", "male");
relations("stepsister", "stepsister", "female");
relations("stepbrother", "stepbrother", "male");
relations("stepson", "stepson", "male");
relations("stepdaughter", "stepdaughter", "female");
relations("wife missus", "wife", "female");
relations("husband hubby hubs", "husband", "male");
relations("little-one", "little_one");
relations("partner spouse other-half better-half significant-other", "partner");
relations("girlfriend gf", "girlfriend", "female");
relations("boyfriend bf", "boyfriend", "male");
relations("fiance fiancé", "fiance", "male");
relations("fiancee fiancée", "fiance", "female");
relations("son", "son", "male");
relations("daughter", "daughter", "female");
relations("child kid baby toddler", "child");
relations("little-boy", "son", "male");
relations("little-girl", "daughter", "female");
relations("business-partner", "business_partner");
relations("cousin", "cousin");
relations("aunt auntie", "aunt", "female");
relations("uncle", "uncle", "male");
relations("niece", "niece", "female");
relations("nephew", "nephew", "male");
relations("grandmother grandma granny nana gran nan nanna oma abuela nonna", "grandmother", "female");
relations("grandfather grandpa granddad grandad gramps opa abuelo nonno", "grandfather", "male");
relations("grandson", "grandson", "male");
relations("granddaughter", "granddaughter", "female");
relations("mother-in-law", "mother_in_law", "female");
relations("father-in-law", "father_in_law", "male");
relations("sister-in-law", "sister_in_law", "female");
relations("brother-in-law", "brother_in_law", "male");
relations("best-friend best-mate bestie bff", "best_friend");
relations("twin-brother", "twin_brother", "male");
relations("twin-sister", "twin_sister", "female");
relations("friend buddy mate pal", "friend");
relations("boss", "boss");
relations("manager", "manager");
relations("supervisor", "supervisor");
relations("line-manager", "manager");
relations("team-lead team-leader", "team_lead");
relations("part-timer", "part_timer");
relations("half-brother", "half_brother", "male");
relations("half-sister", "half_sister", "female");
relations("parent", "parent");
relations("godson", "godson", "male");
relations("goddaughter", "goddaughter", "female");
relations("colleague coworker co-worker workmate teammate", "colleague");
relations("roommate flatmate housemate", "roommate");
relations("neighbor neighbour", "neighbor");
relations("ex-wife", "ex_wife", "female");
relations("ex-husband", "ex_husband", "male");
relations("ex-girlfriend", "ex_girlfriend", "female");
relations("ex-boyfriend", "ex_boyfriend", "male");
for (const noun of [
  "therapist",
  "doctor",
  "dentist",
  "teacher",
  "tutor",
  "coach",
  "mentor",
  "landlord",
  "landlady",
  "vet",
  "cleaner",
  "hairdresser",
  "barber",
  "physio",
  "midwife",
  "babysitter",
  "childminder",
  "professor",
  "instructor",
  "accountant",
  "surgeon",
  "gp",
  "dermatologist",
  "psychiatrist",
  "psychologist",
  "counsellor",
  "counselor",
  "solicitor",
  "mechanic",
  "carer",
  "neurologist",
  "cardiologist",
  "oncologist",
  "pediatrician",
  "paediatrician",
  "gynaecologist",
  "gynecologist",
  "physiotherapist",
  "orthodontist",
  "optician",
  "chiropractor",
  "nutritionist",
  "dietitian",
  "batchmate",
  "labmate",
  "classmate",
  "intern",
  "apprentice",
  "mentee",
  "student",
  "tenant",
  "lodger",
  "penpal",
  "pen-pal",
])
  relations(noun, noun);
for (const noun of ["lawyer", "trainer", "assistant", "godmother", "godfather", "twin", "advisor", "nanny"])
  relations(noun, noun);
for (const [noun, several] of [
  ["parents", "parents"],
  ["kids", "children"],
  ["children", "children"],
  ["sisters", "sisters"],
  ["brothers", "brothers"],
  ["siblings", "siblings"],
  ["sons", "sons"],
  ["daughters", "daughters"],
  ["grandparents", "grandparents"],
  ["grandkids", "grandchildren"],
  ["grandchildren", "grandchildren"],
  ["cousins", "cousins"],
  ["roommates", "roommates"],
  ["flatmates", "roommates"],
  ["housemates", "roommates"],
  ["in-laws", "in_laws"],
  ["friends", "friends"],
  ["colleagues", "colleagues"],
  ["twins", "twins"],
] as const)
  table.set(noun, { noun: several, plural: true });

/** What a noun in lower case says of somebody, or undefined. */
export function relationOf(noun: string): Relation | undefined {
  return table.get(noun);
}

/** A relation in the words of a subject without a name: "sister-in-law", "best friend". */
export function spokenOf(noun: string): string {
  return noun.replaceAll("_", /^(?:best|twin|team|half)_/.test(noun) ? " " : "-");
}

/** What stands before such a noun and changes nothing of it. */
export const relationAdjectives =
  wordSet(`older younger elder eldest youngest oldest big little kid baby twin best good close
  closest old dear new late only first second middle dearest lovely sweet beautiful wonderful amazing childhood school
  college work current former half former's adult teenage newborn estranged long-time longtime gym`);

/** Nouns of animals that live with people. Lower case. */
export const petNouns =
  wordSet(`dog puppy pup doggo cat kitten kitty hamster rabbit bunny parrot goldfish fish turtle tortoise
  snake python lizard gecko horse pony ferret bird budgie canary parakeet cockatiel chinchilla hedgehog rat mouse gerbil
  retriever labrador lab poodle beagle corgi husky dachshund bulldog terrier shepherd collie spaniel chihuahua pug
  dalmatian rottweiler greyhound whippet schnauzer boxer tabby axolotl iguana duck goat donkey pig
  dane tzu coon ragdoll doberman akita shiba cockapoo labradoodle goldendoodle cavapoo yorkie pomeranian maltese malamute samoyed
  mastiff tomcat gelding mare sphynx lurcher shorthair longhair siamese staffie mutt moggy kelpie bernese tarantula llama alpaca cockatoo budgerigar cavachon spitz staffy mongrel`);

/** What stands before the noun of a breed and belongs to it. */
const breeds =
  /^(?:african|bearded|leopard|crested|corn|ball|sugar|ginger|golden|german|australian|border|great|shih|maine|siberian|french|english|american|cocker|springer|jack|yorkshire|scottish|irish|welsh|boston|labrador|bernese|miniature|toy|standard|sausage|guinea|alaskan|belgian|norwegian|british)$/i;
const bred =
  /^(?:grey|gray|dragon|gecko|snake|python|glider|tom|retriever|labrador|poodle|corgi|husky|dachshund|bulldog|terrier|shepherd|collie|spaniel|pointer|setter|dane|tzu|coon|mastiff|malamute|pig|schnauzer|wolfhound|deerhound|cat|dog|russell)$/;

/** "Golden retriever" of the words before a noun and that noun, as they are written. */
export function breedOf(before: string, noun: string): string {
  const first = before.trim().split(/\s+/).at(-1) ?? "";
  return breeds.test(first) && bred.test(noun.toLowerCase()) && !/^(?:cat|dog)$/.test(noun.toLowerCase())
    ? `${first} ${noun}`
    : noun;
}

/** Whether two words name an animal of which the second alone does not: "bearded dragon". As they are written. */
export function isBreed(before: string, noun: string): boolean {
  return (
    /^(?:grey|gray|dragon|glider|tom)$/i.test(noun) && /^(?:african|bearded|sugar|ginger)$/i.test(before)
  );
}

const plurals = new Map<string, string>();
for (const noun of petNouns) {
  const last = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  plurals.set(last, noun);
}

/** What one to three words in lower case say of somebody ("brother in law"), and how many of them do. */
export function relationOfWords(
  words: readonly string[],
): { relation: Relation; length: number } | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const relation = table.get(words.slice(0, length).join("-"));
    if (relation !== undefined) return { relation, length };
  }
  return undefined;
}

/** "sister" of "sisters": what each of several people is. */
export function eachOf(plural: string): string | undefined {
  // Of somebody who has them, "boys" are sons.
  if (plural === "boys") return "son";
  if (plural === "girls") return "daughter";
  if (plural === "twins") return "child";
  return /^(?:kids|children)$/.test(plural) ? "child" : relationOf(plural.replace(/s$/, ""))?.noun;
}

/** What kind of pet a plural in lower case means several of. */
export function petOf(plural: string): string | undefined {
  return plurals.get(plural);
}

/** Whether a noun in lower case means several pets. */
export function isPetPlural(noun: string): boolean {
  return plurals.has(noun);
}
