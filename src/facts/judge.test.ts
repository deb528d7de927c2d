import { describe, expect, test } from "vitest";
import type { Provenance } from "../model/record.ts";
import { Choices } from "../store/contract/seeded-randomness.ts";
import type { Claim } from "./claim.ts";
import { SampleStore } from "./sample-store.ts";

const at = (moment: number) => ({ at: moment, precision: "instant" as const });
const by = (id: string) => [{ kind: "message", id }];

function lives(object: string, saidAt: number, more: Partial<Claim> = {}): Claim {
  return { subject: "user", predicate: "lives in", object, saidAt, sources: by(`m${saidAt}`), ...more };
}

function store(...commits: readonly (Claim | readonly Claim[])[]): SampleStore {
  const made = new SampleStore();
  for (const commit of commits) made.take(...(Array.isArray(commit) ? commit : [commit as Claim]));
  return made;
}

describe("a predicate with one object", () => {
  test("closes what held before where the next begins, by a new version of the same fact", () => {
    const made = store(lives("Tokyo", 10), lives("Berlin", 20));
    expect(made.timeline()).toEqual(["user lives_in Tokyo 10-20", "user lives_in Berlin 20-"]);
    const [open, closed, berlin] = made.versions;
    expect(open).toMatchObject({ status: "retired", retiredReason: "replaced" });
    expect(open).not.toHaveProperty("validUntil");
    expect(closed).toMatchObject({ factId: open?.factId, reason: "superseded", validFrom: open?.validFrom });
    expect(berlin?.factId).not.toBe(open?.factId);
  });

  test("puts what is said late of an earlier time into the past, and never ends it before it begins", () => {
    const made = store(lives("Berlin", 20), lives("Tokyo", 30, { validFrom: at(5) }));
    expect(made.timeline()).toEqual(["user lives_in Tokyo 5-20", "user lives_in Berlin 20-"]);
    made.take(lives("Osaka", 40, { validFrom: at(10) }));
    expect(made.timeline()).toEqual([
      "user lives_in Tokyo 5-10",
      "user lives_in Osaka 10-20",
      "user lives_in Berlin 20-",
    ]);
  });

  test("comes back to what held before as another interval, also when what lies between is told last", () => {
    const made = store(lives("Tokyo", 10), lives("Tokyo", 30), lives("Osaka", 20));
    expect(made.timeline()).toEqual([
      "user lives_in Tokyo 10-20",
      "user lives_in Osaka 20-30",
      "user lives_in Tokyo 30-",
    ]);
  });

  test("of two that begin at the same moment takes what was said later, and retires the other", () => {
    for (const order of [0, 1]) {
      const claims = [lives("Tokyo", 10, { validFrom: at(5) }), lives("Osaka", 20, { validFrom: at(5) })];
      const made = store(...(order === 0 ? claims : claims.reverse()));
      expect(made.timeline()).toEqual(["user lives_in Osaka 5-"]);
      const tokyo = made.versions.filter(({ object }) => object === "Tokyo");
      expect(tokyo).toMatchObject([{ status: "contested", retiredReason: "superseded" }]);
      expect(tokyo[0]).not.toHaveProperty("validUntil");
    }
  });

  test("keeps what it was told of its end, and begins again after it", () => {
    const made = store(
      lives("Tokyo", 30, { validFrom: at(10), validUntil: at(20) }),
      lives("Osaka", 31, { validUntil: at(12) }),
    );
    expect(made.timeline()).toEqual(["user lives_in Osaka ?-10", "user lives_in Tokyo 10-20"]);
    made.take(lives("Tokyo", 40));
    expect(made.timeline()).toContain("user lives_in Tokyo 40-");
  });

  test("of places whose beginnings nobody knows keeps each", () => {
    const past = { change: "end", saidAt: 30 } as const;
    const made = store(lives("Berlin", 20), lives("Rome", 30, past), lives("Paris", 31, past));
    expect(made.timeline()).toEqual([
      "user lives_in Paris ?-20",
      "user lives_in Rome ?-20",
      "user lives_in Berlin 20-",
    ]);
  });
});

describe("a time of some length", () => {
  const day = 24 * 3_600_000;
  const march = { at: 60 * day, precision: "month" as const };

  test("that was named later does not begin before what was said within it", () => {
    const claims = [lives("Tokyo", 70 * day), lives("Berlin", 95 * day, { validFrom: march })];
    for (const made of [store(...claims), store(...claims.toReversed())])
      expect(made.timeline()).toEqual([
        `user lives_in Tokyo ?-${60 * day}`,
        `user lives_in Berlin ${60 * day}-`,
      ]);
  });

  test("leaves in their order what was said before it", () => {
    const made = store(
      lives("Osaka", day),
      lives("Tokyo", 70 * day),
      lives("Berlin", 95 * day, { validFrom: march }),
    );
    expect(made.timeline()).toEqual([
      `user lives_in Osaka ${day}-${60 * day - 1}`,
      `user lives_in Tokyo ${60 * day - 1}-${60 * day}`,
      `user lives_in Berlin ${60 * day}-`,
    ]);
  });

  test("that has passed lately is about now for what was said before it was named", () => {
    const lastWeek = { at: 84 * day, precision: "week" as const };
    const claims = [lives("Tokyo", 95 * day), lives("Berlin", 95 * day + 1, { validFrom: lastWeek })];
    for (const made of [store(...claims), store(...claims.toReversed())])
      expect(made.timeline()).toEqual([
        `user lives_in Tokyo ?-${84 * day}`,
        `user lives_in Berlin ${84 * day}-`,
      ]);
    const later = store(lives("Tokyo", 115 * day), lives("Berlin", 123 * day, { validFrom: lastWeek }));
    expect(later.timeline()[1]).toContain("Tokyo");
  });

  test("is in the past for what is said after it, or earlier than it was named", () => {
    for (const [tokyo, berlin] of [
      [94, 125],
      [99, 95],
    ] as const) {
      const claims = [lives("Tokyo", tokyo * day), lives("Berlin", berlin * day, { validFrom: march })];
      expect(store(...claims).timeline()[1]).toContain("Tokyo");
    }
    expect(store(lives("Tokyo", 70 * day), lives("Rome", 65 * day, { validFrom: march })).timeline()).toEqual(
      [`user lives_in Rome ${60 * day}-${70 * day}`, `user lives_in Tokyo ${70 * day}-`],
    );
  });
});

describe("a predicate with many objects", () => {
  test("closes nothing: 100 independent facts about one person all hold", () => {
    const made = new SampleStore();
    const predicates = ["likes", "has_pet", "owns", "visited", "a word of his own"];
    for (let i = 0; i < 100; i++) {
      const predicate = predicates[i % predicates.length] as string;
      made.take({ subject: "user", predicate, object: `thing ${i}`, saidAt: i, sources: by(`m${i}`) });
    }
    expect(made.current).toHaveLength(100);
    expect(made.current.filter(({ validUntil }) => validUntil !== undefined)).toEqual([]);
  });

  test("has one object at a time where a claim says so", () => {
    const tests = (object: string, saidAt: number): Claim => ({
      ...{ subject: "user", predicate: "tests", object, saidAt, cardinality: "one" as const },
    });
    expect(store(tests("5", 1), tests("7", 2)).timeline()).toEqual(["user tests 5 1-2", "user tests 7 2-"]);
  });
});

describe("the same fact again", () => {
  const likes = (object: string, saidAt: number, more: Partial<Claim> = {}): Claim => ({
    ...{ subject: "User", predicate: "likes", object, saidAt, sources: by(`m${saidAt}`), confidence: 0.8 },
    ...more,
  });

  test("is a new version with all its sources, one mention more and a higher confidence", () => {
    const made = store(likes("green tea", 1), likes("Green  TEA", 2));
    expect(made.timeline()).toEqual(["user likes green tea 1- +1"]);
    const [version] = made.current;
    // 1 - 0.2 * 0.2
    expect(version?.confidence).toBe(0.96);
    expect(version?.evidence?.flatMap(({ sources }) => sources)).toEqual([...by("m1"), ...by("m2")]);
    expect(new Set(made.versions.map(({ factId }) => factId)).size).toBe(1);
  });

  test("has no effect when the same record says it", () => {
    const made = store(likes("tea", 1));
    expect(made.take(likes("tea", 1, { saidAt: 5 }))).toEqual(["known"]);
    expect(made.versions).toHaveLength(1);
  });

  test("counts each time that it is told without a source, and keeps the newest 32", () => {
    const told = (saidAt: number): Claim => likes("tea", saidAt, { sources: undefined, confidence: 1 });
    const made = store(...Array.from({ length: 50 }, (_, i) => told(i)));
    expect(made.timeline()).toEqual(["user likes tea 0- +49"]);
    const said = made.current[0]?.evidence?.map(({ saidAt }) => saidAt);
    expect(said).toEqual([0, ...Array.from({ length: 31 }, (_, i) => 19 + i)]);
  });

  test("is merged with the others of its batch, which see what those before them did", () => {
    const made = store([likes("tea", 1), likes("tea", 2), lives("Rome", 3), lives("Oslo", 4)]);
    expect(made.timeline()).toEqual([
      "user likes tea 1- +1",
      "user lives_in Rome 3-4",
      "user lives_in Oslo 4-",
    ]);
    expect(made.versions.every(({ status }) => status === "current")).toBe(true);
  });
});

describe("a denial", () => {
  const eats = (affirmed: boolean, saidAt: number, more: Partial<Claim> = {}): Claim => ({
    ...{ subject: "user", predicate: "eats", object: "meat", affirmed, saidAt, sources: by(`m${saidAt}`) },
    ...more,
  });

  test("closes what it denies, is a fact of its own, and is closed by the next affirmation", () => {
    const made = store(eats(true, 1), eats(false, 5), eats(true, 9));
    expect(made.timeline()).toEqual(["user eats meat 1-5", "user not eats meat 5-9", "user eats meat 9-"]);
  });

  test("by somebody who knows less closes nothing", () => {
    const made = store(eats(true, 1), eats(false, 5, { provenance: "ai_inferred" }));
    expect(made.timeline()).toEqual(["user eats meat 1-"]);
    expect(made.versions[1]).toMatchObject({
      affirmed: false,
      status: "contested",
      retiredReason: "contested",
    });
  });

  test("is what disliking is to liking", () => {
    const taste = (predicate: string, saidAt: number): Claim => ({
      subject: "user",
      predicate,
      object: "opera",
      saidAt,
    });
    expect(store(taste("likes", 1), taste("hates", 2)).timeline()).toEqual([
      "user likes opera 1-2",
      "user dislikes opera 2-",
    ]);
  });
});

describe("authority", () => {
  const levels: readonly Provenance[] = ["ai_inferred", "ai_stated", "external_source", "user_stated"];

  test("of a claim has to be as high as that of what it closes, in either order of arrival", () => {
    for (const [i, first] of levels.entries())
      for (const [j, second] of levels.entries()) {
        const claims = [lives("Tokyo", 1, { provenance: first }), lives("Berlin", 2, { provenance: second })];
        const expected =
          j >= i ? ["user lives_in Tokyo 1-2", "user lives_in Berlin 2-"] : ["user lives_in Tokyo 1-"];
        expect(store(...claims).timeline()).toEqual(expected);
        expect(store(...claims.toReversed()).timeline()).toEqual(expected);
      }
  });

  test("of a claim with little confidence is that of a guess, whoever makes it", () => {
    expect(store(lives("Tokyo", 1), lives("Berlin", 2, { confidence: 0.4 })).timeline()).toEqual([
      "user lives_in Tokyo 1-",
    ]);
  });

  test("of a guess does not end or retract what was stated", () => {
    const guess = { provenance: "ai_inferred", object: undefined } as const;
    const made = store(lives("Tokyo", 1));
    made.take(lives("Tokyo", 2, { ...guess, change: "end", object: "Tokyo" }));
    made.take(lives("Tokyo", 3, { ...guess, change: "end" }));
    expect(made.take(lives("Tokyo", 4, { ...guess, change: "retract" }))).toEqual(["contested"]);
    expect(made.timeline()).toEqual(["user lives_in Tokyo 1-"]);
  });
});

describe("changes", () => {
  test("a correction takes over the beginning of what was never so", () => {
    const made = store(lives("Tokyo", 10), lives("Kyoto", 20, { change: "correct" }));
    expect(made.timeline()).toEqual(["user lives_in Kyoto 10-"]);
    expect(made.versions[0]).toMatchObject({ object: "Tokyo", retiredReason: "corrected" });
    expect(made.versions[0]).not.toHaveProperty("validUntil");
  });

  test("a correction with a beginning of its own takes the place of what holds when it is said", () => {
    const made = store(lives("Tokyo", 10), lives("Kyoto", 20, { change: "correct", validFrom: at(5) }));
    expect(made.timeline()).toEqual(["user lives_in Kyoto 5-"]);
    made.take(lives("Nara", 30, { change: "correct", validFrom: at(1), validUntil: at(3) }));
    expect(made.timeline()).toEqual(["user lives_in Nara 1-3", "user lives_in Kyoto 5-"]);
  });

  test("a correction, an end or a retraction that arrives late leaves what was said after it", () => {
    const before = lives("Oslo", 20, { change: "end" });
    const correction = lives("Madrid", 10, { change: "correct" });
    const inOrder = store(correction, before).timeline();
    expect(inOrder).toEqual(["user lives_in Oslo ?-10", "user lives_in Madrid 10-"]);
    expect(store(before, correction).timeline()).toEqual(inOrder);
    const made = store(lives("Rome", 5), lives("Rome", 30));
    for (const change of ["retract", "end"] as const)
      expect(made.take(lives("Rome", 2, { change, object: undefined }))).toEqual(["not_found"]);
    made.take(lives("Rome", 10, { change: "retract" }));
    expect(made.timeline()).toEqual(["user lives_in Rome 30-"]);
  });

  test("a correction that repeats what holds reinforces it", () => {
    const made = store(lives("Tokyo", 10), lives("Tokyo", 20, { change: "correct" }));
    expect(made.timeline()).toEqual(["user lives_in Tokyo 10- +1"]);
  });

  test("a correction of a fact is a version of it, whatever its predicate", () => {
    const owns: Claim = { subject: "user", predicate: "owns", object: "a Tesla", saidAt: 1 };
    const made = store(owns, { ...owns, object: "a bike" });
    const [tesla] = made.versions;
    made.take({ ...owns, object: "a Volvo", saidAt: 9, change: "correct", factId: tesla?.factId });
    expect(made.timeline()).toEqual(["user owns a Volvo 1-", "user owns a bike 1-"]);
    expect(made.current.find(({ object }) => object === "a Volvo")?.factId).toBe(tesla?.factId);
    expect(made.take({ ...owns, object: "x", change: "correct", factId: "gone" })).toEqual(["not_found"]);
  });

  test("an end closes what it names, or all that holds of the predicate", () => {
    const owns = (object: string): Claim => ({ subject: "user", predicate: "owns", object, saidAt: 1 });
    const made = store(owns("bike"), owns("car"), owns("boat"));
    made.take({ ...owns("bike"), saidAt: 5, change: "end" });
    made.take({ ...owns("bike"), saidAt: 9, object: undefined, change: "end", validUntil: at(7) });
    expect(made.timeline()).toEqual(["user owns bike 1-5", "user owns boat 1-7", "user owns car 1-7"]);
    expect(made.take({ ...owns("x"), predicate: "rents", object: undefined, change: "end" })).toEqual([
      "not_found",
    ]);
  });

  test("an end of what is not known is a fact of the past, which a beginning that is told later completes", () => {
    const made = store(lives("Rome", 30, { change: "end", validUntil: at(20) }));
    expect(made.timeline()).toEqual(["user lives_in Rome ?-20"]);
    made.take(lives("Rome", 40, { validFrom: at(10) }));
    expect(made.timeline()).toEqual(["user lives_in Rome 10-20"]);
  });

  test("an end before the moment at which something was said to hold means that nobody knows its beginning", () => {
    const made = store(lives("Rome", 30), lives("Rome", 40, { change: "end", validUntil: at(20) }));
    expect(made.timeline()).toEqual(["user lives_in Rome ?-20"]);
  });

  test("a retraction is for good: what was said before is not believed again", () => {
    const made = store(lives("Tokyo", 10), lives("Berlin", 20));
    expect(made.take(lives("Tokyo", 30, { change: "retract" }))).toEqual(["retracted"]);
    expect(made.timeline()).toEqual(["user lives_in Berlin 20-"]);
    expect(made.take(lives("Tokyo", 10))).toEqual(["retired_before"]);
    expect(made.take(lives("Tokyo", 50, { change: "retract" }))).toEqual(["not_found"]);
  });
});

const precisions = ["instant", "instant", "instant", "day"] as const;

/** Claims of which no two are about the same moment, said when they hold or long after. */
function randomClaims(choices: Choices): Claim[] {
  return Array.from(
    { length: 12 },
    (_, i): Claim => ({
      ...lives(choices.of(["Tokyo", "Osaka", "Berlin", "Rome"]), 100 + i),
      ...(choices.chance(50)
        ? { validFrom: { ...at(((i * 7) % 12) * 2 + 1), precision: choices.of(precisions) } }
        : {}),
      ...(choices.chance(25) ? { provenance: "ai_inferred" as const } : {}),
      ...(choices.chance(10) ? { affirmed: false } : {}),
      confidence: 0.9,
    }),
  );
}

function shuffled<T>(items: readonly T[], choices: Choices): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(choices.below(left.length), 1));
}

describe("whatever the claims", () => {
  const choices = new Choices(5);
  const runs = Array.from({ length: 100 }, () => randomClaims(choices));

  test("their order of arrival does not change the timeline", () => {
    for (const claims of runs) {
      const made = store(...claims);
      expect(store(...shuffled(claims, choices)).timeline()).toEqual(made.timeline());
      expect(store(shuffled(claims, choices)).timeline()).toEqual(made.timeline());
    }
  });

  test("intervals of one object at a time do not overlap, and end after they begin", () => {
    for (const claims of runs) {
      const intervals = store(...claims)
        .current.filter(({ affirmed }) => affirmed)
        .map(({ validFrom, validUntil }) => [validFrom?.at ?? 0, validUntil?.at ?? Infinity] as const)
        .sort(([a], [b]) => a - b);
      for (const [i, [from, until]] of intervals.entries()) {
        expect(until).toBeGreaterThan(from);
        expect(intervals[i + 1]?.[0] ?? Infinity).toBeGreaterThanOrEqual(until);
      }
    }
  });

  test("the same claims again change nothing, and versions change by being retired alone", () => {
    for (const claims of runs.slice(0, 30)) {
      const made = new SampleStore();
      for (const claim of claims) {
        const before = made.versions;
        made.take(claim);
        for (const [i, version] of before.entries()) {
          const { status, retiredAt, retiredReason, ...rest } = made.versions[i] as (typeof before)[number];
          expect(version).toMatchObject(rest);
          if (version.status === "retired") expect(status).toBe("retired");
          expect(retiredAt === undefined).toBe(status === "current");
          expect(retiredReason === undefined).toBe(status === "current");
        }
      }
      const before = made.versions;
      made.take(...claims);
      for (const claim of shuffled(claims, choices)) made.take(claim);
      expect(made.versions).toEqual(before);
    }
  });
});
