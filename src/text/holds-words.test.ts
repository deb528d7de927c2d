import { describe, expect, test } from "vitest";
import { holdsWords } from "./holds-words.ts";

describe("holdsWords", () => {
  test.each([
    ["Ann", "I met Ann, yesterday."],
    ["ann", "ANN'S dog"],
    ["jose", "José lives here"],
    ["José", "jose"],
    ["likes  tea", "Ann likes\n tea."],
    ["4242 4242", "card: 4242\u00a04242"],
    ["ﬁgs", "dried FIGS"],
    ["东京", "我住在东京都"],
    ["서울", "서울에 살아요"],
    ["a.b@c.de", "mail a.b@c.de!"],
    ["👍", "fine👍fine"],
    ["C++", "knows C++, too"],
    ["𝔸nn", "Ann"],
  ])("finds %j in %j", (words, text) => {
    expect(holdsWords(words)(text)).toBe(true);
  });

  test.each([
    ["Ann", "Anna and Joann"],
    ["tea", "steam"],
    ["4242", "14242"],
    ["likes tea", "likes green tea"],
    ["क", "कि"],
    ["𐐨", "𐐩𐐨"],
    ["", "anything"],
    [" ", "a b"],
    ["Ann", ""],
  ])("does not find %j in %j", (words, text) => {
    expect(holdsWords(words)(text)).toBe(false);
  });

  test("a later place counts where the first is inside a word", () => {
    expect(holdsWords("ann")("Joanna, Anna, Ann")).toBe(true);
  });

  test("lone surrogates and NUL are characters like others", () => {
    expect(holdsWords("b")("a\0b\ud800")).toBe(true);
    expect(holdsWords("ab")("a\0b")).toBe(false);
  });

  test("a long text of one letter takes no longer than its length", () => {
    expect(holdsWords("aa")("a".repeat(200_000))).toBe(false);
  });
});
