import { expect, test } from "vitest";
import { contentKey, contentMark, fingerprint, normaliseText } from "./content-key.ts";

test("case, white space, compatibility forms and a final stop make no difference", () => {
  for (const text of ["I like Tea", "i like tea.", "  I  like\n TEA!! ", "Ｉ like tea", "I like tea…"]) {
    expect(normaliseText(text)).toBe("i like tea");
  }
  expect(normaliseText("我喜欢喝茶。")).toBe("我喜欢喝茶");
});

test("a question is another text, and so are accents, inner marks and words", () => {
  const plain = normaliseText("You like tea");
  for (const text of ["You like tea?", "You like téa", "You, like tea", "You like teas"]) {
    expect(normaliseText(text)).not.toBe(plain);
  }
});

test.each([".", " .", "。", "…", " ", "!", "\u0301\u0323", "a"])(
  "a megabyte of %j inside a text, and at its end, is normalised soon",
  (run) => {
    const text = `x${run.repeat(1_000_000 / run.length)}`;
    expect(normaliseText(`${text}x`)).toMatch(/^x/);
    expect(normaliseText(text)).toMatch(/^x/);
  },
);

test("a text of nothing but marks is not empty", () => {
  expect(normaliseText("...")).toBe("...");
  expect(normaliseText("!!!")).not.toBe(normaliseText("..."));
});

test("the key tells authors, provenances and agents apart, and no two lists of labels are one", () => {
  const options = [
    { provenance: "user_stated" },
    { provenance: "ai_stated" },
    { provenance: "user_stated", author: "Ann" },
    { provenance: "user_stated", agentId: "Ann" },
    { provenance: "user_stated", author: "", agentId: "Ann" },
    { provenance: "user_stated", author: "Ann", agentId: "Ann" },
  ];
  expect(new Set(options.map((labels) => contentKey("tea", labels))).size).toBe(options.length);
  expect(contentKey("tea", { provenance: "user_stated" })).not.toBe(
    contentKey("coffee", { provenance: "user_stated" }),
  );
});

test("fingerprints are short and differ from trace to trace", () => {
  const mark = contentMark("I like tea.");
  expect(fingerprint("t1", mark)).toMatch(/^[0-9a-z]{10}$/);
  expect(fingerprint("t1", mark)).toBe(fingerprint("t1", contentMark("i like TEA")));
  expect(fingerprint("t1", mark)).not.toBe(fingerprint("t2", mark));
});
