import { describe, expect, test } from "vitest";
import { claimsInWords } from "./claims-in-words.ts";

describe("a sentence may leave out that it is said of its speaker", () => {
  test.each([
    ["Just got promoted to head of procurement!", "user works_as head of procurement"],
    [
      "just moved to Leeds from Birmingham for a new job",
      "user lives_in Birmingham (end)",
      "user lives_in Leeds",
    ],
    ["Allergic to peanuts btw", "user allergic_to peanuts"],
    ["Not a fan of open-plan offices tbh.", "user likes open-plan offices (denied)"],
    ["big fan of jazz and blues", "user likes jazz", "user likes blues"],
    ["Living in Berlin with my wife Ana", "user has_wife Ana", "user lives_in Berlin"],
    ["Been learning Welsh on Duolingo since May.", "user learning Welsh", "user uses Duolingo"],
    ["Nope, never been married.", "user marital_status married (denied)"],
    ["Never been to Peru.", "user visited Peru (denied)"],
    ["Honestly can't stand the smell of lavender.", "user dislikes smell of lavender"],
    ["Love hiking and board games", "user likes hiking", "user likes board games"],
    ["Married to Sam, two kids", "user married_to Sam"],
    ["From Chile originally.", "user from Chile"],
    ["As a nurse, I work long hours.", "user works_as nurse"],
    ["As someone who lives in Texas, I hate the cold.", "user lives_in Texas", "user dislikes cold"],
    ["As someone with ADHD I struggle with this.", "user has_condition ADHD"],
    ["As a vegan, what should I order?", "user diet vegan"],
    ["As an AI engineer, I work long hours.", "user works_as AI engineer"],
    ["currently reading Middlemarch and it's slow going", "user reading Middlemarch"],
    ["training for the Great North Run, wish me luck", "user training_for Great North Run"],
    ["typical scorpio here lol", "user zodiac_sign scorpio"],
    ["Not vegan anymore.", "user diet vegan (end)"],
    ["No longer vegetarian.", "user diet vegetarian (end)"],
    ["No more dairy for me.", "user eats dairy (denied)"],
    ["Never liked olives.", "user likes olives (denied)"],
    ["Vegan, no pets.", "user diet Vegan", "user has_pet pets (denied)"],
    ["big Liverpool fan", "user likes Liverpool"],
    ["sold my flat in Leeds, now renting in York", "user owns flat (end)", "user lives_in York"],
    [
      "never been to Asia, would love to see Vietnam",
      "user visited Asia (denied)",
      "user wants_to see Vietnam",
    ],
    ["quit smoking 3 weeks ago", "user smokes (end)"],
    ["Born in Kenya and was raised in Oslo.", "user born_in Kenya", "user grew_up_in Oslo"],
  ])("%s", (text, ...claims) => expect(claimsInWords(text)).toEqual(claims));
});

describe("what only looks so gives nothing", () => {
  test.each([
    "Living in Berlin is expensive.",
    "Learning Python was hard at first.",
    "Trying to fix this is hard.",
    "No more questions for me.",
    "No pets are allowed.",
    "Quit the app and try again.",
    "Good pizza here.",
    "Love this!",
    "Love the color.",
    "The protagonist grew up in Leeds. Moved to Paris at 20.",
    "Vegan recipes are great.",
    "Born in Nairobi, she moved to Leeds.",
    "Never mind the typo.",
    "As a result, the build fails.",
    "As an AI language model, I don't have feelings.",
    "As a large language model, I can't browse the web.",
    "As an AI I have no feelings.",
    "Born in the USA is a great song.",
    "Moved the button to the left.",
    "Got it, thanks!",
    "Anna is my boss's friend. Moved to Leeds last year.",
  ])("%s", (text) => expect(claimsInWords(text).filter((claim) => claim.startsWith("user "))).toEqual([]));
});
