import { expect, test } from "vitest";
import { readCorrection } from "./corrections.ts";

test.each([
  "No, I live in Graz.",
  "Sorry, I meant Linz.",
  "Correction: my name is Jon.",
  "My name is Jon, not John.",
  "My rent is €700, not €640.",
  "Scratch that, I work at Bayer.",
])("%s corrects", (text) => {
  expect(readCorrection(text).corrects).toBe(true);
});

test.each([
  "I live in Graz.",
  "Actually, I live in Graz.",
  "I live in Porto now, not Oslo.",
  "No problem, thanks.",
])("%s corrects nothing", (text) => {
  expect(readCorrection(text).corrects).toBe(false);
});

test("a name alone takes the place of the one before", () => {
  const { instead } = readCorrection("No wait, Linz.");
  expect(instead).toEqual({ text: "Linz", at: 9 });
  expect(readCorrection("Sorry, I meant $700.").instead?.text).toBe("$700");
  expect(readCorrection("No, thanks.").instead).toBeUndefined();
});
