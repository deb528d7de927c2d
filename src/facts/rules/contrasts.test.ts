import { describe, expect, test } from "vitest";
import { claimsInWords } from "./claims-in-words.ts";

describe("what stands beside is denied or has ended", () => {
  test.each([
    ["I'm afraid of heights but not spiders.", "user afraid_of heights", "user afraid_of spiders (denied)"],
    ["We use Postgres in production, not MySQL.", "user uses Postgres", "user uses MySQL (denied)"],
    ["I know Python, no JavaScript at all.", "user knows Python", "user knows JavaScript (denied)"],
    [
      "I've been to Japan twice and Chile once, never Peru.",
      "user visited Japan",
      "user visited Chile",
      "user visited Peru (denied)",
    ],
    [
      "Since Monday I report to Dolores instead of Kevin.",
      "user has_boss Dolores",
      "user has_boss Kevin (end)",
    ],
    [
      "I'm not allergic to nuts, that's my brother.",
      "user allergic_to nuts (denied)",
      "user's brother allergic_to nuts",
    ],
    [
      "Actually no, I do like spicy food, it's my flatmate who doesn't.",
      "user likes spicy food",
      "user's roommate likes spicy food (denied)",
    ],
    ["Lotte isn't my wife, she's my business partner."],
  ])("%s", (text, ...claims) => {
    const found = claimsInWords(text);
    for (const claim of claims) expect(found).toContain(claim);
    if (claims.length > 0) expect(found).toHaveLength(claims.length);
  });

  test.each([
    ["I like tea, not so much today.", "user likes tea"],
    ["I like cats, not because they are easy.", "user likes cats"],
    ["I live in Turin, not Milan.", "user lives_in Turin (correct)"],
    ["I like it, that's my brother."],
  ])("%s says no more", (text, ...claims) => expect(claimsInWords(text)).toEqual(claims));
});
