import { Choices } from "../src/store/contract/seeded-randomness.ts";

/** What somebody said, made up: another text for each number, always the same one for the same number. */
export interface SpeedText {
  readonly number: number;
  readonly speaker: string;
  readonly session: string;
  readonly saidAt: number;
  readonly content: string;
  /** The words that carry its meaning, in order. */
  readonly topics: readonly string[];
}

const start = Date.UTC(2024, 0, 1);
const textsPerSession = 25;
const hour = 3_600_000;

/** One to three sentences of about 130 characters together, in sessions of 25 texts a day apart. */
export function speedText(number: number): SpeedText {
  const choices = new Choices(number + 1);
  const topics: string[] = [];
  const sentences = Array.from({ length: 1 + choices.below(3) }, () =>
    choices.of(sentenceForms).replaceAll("_", () => {
      const word = topic(choices);
      topics.push(word);
      return word;
    }),
  );
  const session = Math.floor(number / textsPerSession);
  return {
    number,
    speaker: number % 2 === 0 ? "Ann" : "Ben",
    session: `session-${session}`,
    saidAt: start + session * 24 * hour + (number % textsPerSession) * 60_000,
    content: sentences.join(" "),
    topics,
  };
}

/** A question about two or three things that a text tells of. */
export function speedQuestion(number: number, seed: number): string {
  const { speaker, topics } = speedText(number);
  const choices = new Choices(seed + 1);
  const [first = "", second = first, third = second] = choices.shuffled([...new Set(topics)]);
  return choices
    .of(questionForms)
    .replace("@", speaker)
    .replace("1", first)
    .replace("2", second)
    .replace("3", third);
}

const sentenceForms = [
  "I went to see the _ with _ last weekend, and the _ was better than I thought.",
  "We still have to talk about the _ before the _ comes.",
  "My sister sold her _ and bought a _ instead.",
  "Do you remember the _ that _ told us about?",
  "The _ takes about two hours if you add the _ early.",
  "I am not fond of _, but _ makes it easier.",
  "Next month I will start with _ at the _ in town.",
  "It was raining, so we stayed in and made _.",
  "Work is busy: the _ is late, and nobody knows where the _ is.",
  "You should try the _ near the _, it is lovely.",
  "That reminds me of _.",
  "Thanks for the _, it helped a lot with my _.",
];

const questionForms = [
  "What did @ say about the 1 and the 2?",
  "When did we talk about 1?",
  "Which 1 had something to do with 2 or 3?",
  "Who told @ about the 1, and what came of the 2?",
];

// Common things first, as they are talked about most.
const commonWords = `work weekend dinner garden book dog music trip school kitchen coffee bike doctor birthday concert car
  house movie lake recipe painting guitar budget holiday train flight hotel meeting project client team report deadline
  brother mother friend neighbour teacher wedding baby cat horse beach mountain river forest museum library market bakery
  restaurant pizza pasta soup salad bread cheese apple lemon chocolate tea wine breakfast lunch picnic barbecue camping
  hiking running swimming yoga tennis football climbing skiing sailing dancing singing piano violin drums photography
  camera poster sculpture pottery knitting sewing gardening roses tomatoes herbs tree roof window door sofa table lamp
  carpet mirror laptop phone printer password website database server invoice contract salary tax insurance bank loan
  mortgage savings allergy headache dentist surgery vitamin medicine sleep marathon medal exam lecture thesis grant
  scholarship interview promotion office manager colleague workshop festival theatre opera gallery exhibition novel poem
  letter podcast interviewers charity shelter volunteer church parade election storm snow winter summer spring autumn`;

const vocabularySize = 20_000;

/** Words by rank: common ones, then names and such that nobody has in a dictionary. */
const vocabulary = ((): readonly string[] => {
  const words = new Set(commonWords.split(/\s+/));
  const choices = new Choices(0);
  const beginnings = "b br c d dr f g gl h j k l m n p r s st t tr v w".split(" ");
  const endings = ["", "", "l", "n", "r"];
  const syllable = () => choices.of(beginnings) + choices.of([..."aeiou"]) + choices.of(endings);
  while (words.size < vocabularySize)
    words.add(Array.from({ length: 2 + choices.below(2) }, syllable).join(""));
  return [...words];
})();

/** By Mandelbrot's form of Zipf's law: the word of rank r comes with a chance of about 1 / (r + shift). */
function topic(choices: Choices): string {
  const even = choices.below(1_000_000) / 1_000_000;
  const rank = shift * ((vocabulary.length + shift) / shift) ** even - shift;
  return vocabulary[Math.floor(rank)] ?? "";
}

/** Without it, one text in four would be about work. */
const shift = 20;
