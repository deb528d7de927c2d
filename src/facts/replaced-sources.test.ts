import { expect, test } from "vitest";
import { canonicalKey, canonicalPredicate } from "./canonical.ts";
import { changesOf } from "./changes.ts";
import type { Claim } from "./claim.ts";
import { type Judged, judge } from "./judge.ts";
import { replacedSources } from "./replaced-sources.ts";
import { SampleStore } from "./sample-store.ts";

const day = 24 * 3_600_000;

/** Times are days. */
function lives(object: string | undefined, text: string, saidAt: number, more: Partial<Claim> = {}): Claim {
  return {
    subject: "user",
    predicate: "lives_in",
    object,
    saidAt: saidAt * day,
    sources: [{ kind: "text", id: text }],
    ...more,
  };
}

function judged({ subject, predicate, object, affirmed = true, change = "assert", ...claim }: Claim): Judged {
  const { saidAt = 0, validFrom, validUntil, sources } = claim;
  return {
    ...{
      subject,
      subjectKey: canonicalKey(subject),
      predicate: canonicalPredicate(predicate),
      affirmed,
      change,
    },
    ...(object === undefined ? {} : { object, objectKey: canonicalKey(object) }),
    evidence: {
      ...{ saidAt, provenance: "user_stated", confidence: 1, validFrom, validUntil },
      sources: sources?.map(({ kind, id }) => ({ kind, id })),
    },
  };
}

/** Which texts replace which, when the last claims come to what the others left. */
function replaced(before: readonly (readonly Claim[])[], ...claims: readonly Claim[]): readonly string[] {
  const store = new SampleStore();
  for (const commit of before) store.take(...commit);
  const present = store.versions.filter(({ status }) => status !== "retired");
  const retired = store.versions.filter(({ status }) => status === "retired");
  const judgement = judge(claims.map(judged), { present, retired, keyOf: canonicalKey });
  return replacedSources(changesOf(judgement, present)).map(
    ({ older, newer }) => `${older.id} by ${newer.id}`,
  );
}

const porto = lives("Porto", "a", 100);

test("a text whose fact another one closes is replaced by what says that one", () => {
  expect(replaced([[porto]], lives("Berlin", "b", 200))).toEqual(["a by b"]);
});

test("also when both come in one commit, and in whatever order", () => {
  expect(replaced([], porto, lives("Berlin", "b", 200))).toEqual(["a by b"]);
  expect(replaced([], lives("Berlin", "b", 200), porto)).toEqual(["a by b"]);
});

test("every text that said it is", () => {
  expect(replaced([[porto], [lives("Porto", "c", 150)]], lives("Berlin", "b", 200))).toEqual([
    "a by b",
    "c by b",
  ]);
});

test("an end and a correction replace what they end and correct", () => {
  expect(replaced([[porto]], lives("Porto", "b", 200, { change: "end" }))).toEqual(["a by b"]);
  expect(replaced([[porto]], lives("Berlin", "b", 200, { change: "correct" }))).toEqual(["a by b"]);
});

test("what is said again, beside it, or later of an earlier time replaces nothing", () => {
  expect(replaced([[porto]], lives("Porto", "b", 200))).toEqual([]);
  const likes = {
    subject: "user",
    predicate: "likes",
    saidAt: 200 * day,
    sources: [{ kind: "text", id: "b" }],
  };
  expect(replaced([[porto]], { ...likes, object: "tea" }, { ...likes, object: "jazz" })).toEqual([]);
  const [validFrom, validUntil] = [10, 50].map((at) => ({ at: at * day, precision: "day" }) as const);
  const early = lives("Oslo", "b", 300, { validFrom, validUntil });
  expect(replaced([[porto]], early)).toEqual([]);
});

test("a text that says both replaces nothing, and what has no source is in no text", () => {
  expect(replaced([], porto, lives("Berlin", "a", 200))).toEqual([]);
  expect(replaced([[porto]], lives("Berlin", "b", 200, { sources: undefined }))).toEqual([]);
});
