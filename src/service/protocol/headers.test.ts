import { expect, test } from "vitest";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { decodeHeader, encodeHeader } from "./headers.ts";

test.each(hostileTexts.filter((text) => text.isWellFormed()))("text %# comes back as it was", (text) => {
  expect(decodeHeader(encodeHeader(text))).toBe(text);
  expect(encodeHeader(text)).toMatch(/^[\x21-\x7e]*$/);
});

test("what a header can carry needs no encoding", () => {
  expect(decodeHeader("auth0|alice+work@example.org")).toBe("auth0|alice+work@example.org");
});

test.each(["a, b", "a,b", "a b", "%", "%e9", "%ff", "é", "a\tb", "%C3"])("%j is refused", (value) => {
  expect(decodeHeader(value)).toBeUndefined();
});
