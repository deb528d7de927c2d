import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { createAnalyser } from "./analyser.ts";
import { areRivals, statedValues } from "./stated-values.ts";
import { findValues } from "./values.ts";

const found = (text: string) => findValues(text).map(({ kind, value }) => `${kind} ${value}`);

describe("findValues", () => {
  test("reads the same value out of its spellings", () => {
    expect(found("$1,200, 1200 dollars and $1.2k")).toEqual(["money 1200", "money 1200", "money 1200"]);
    expect(found("on 5 April 2024 or April 5th, or 2024-04-05")).toEqual([
      "date 4-5",
      "date 4-5",
      "date 4-5",
    ]);
    expect(found("three cats, 3 dogs")).toEqual(["number 3", "number 3"]);
    expect(found("4 out of 5, that is 4/5 or 80 percent or 80%")).toEqual([
      ...["score 4/5", "score 4/5", "percent 80", "percent 80"],
    ]);
    expect(found("at 3 PM on Mondays, at 15:30")).toEqual(["time 3:00pm", "weekday monday", "time 15:30"]);
    expect(found("v2.3.1 took 250ms in 6-9 months")).toEqual(["version 2.3.1", "number 250", "number 6-9"]);
  });

  test("takes any string in time that grows with it", () => {
    expect(findValues("\ud800 \u0000 no values")).toEqual([]);
    const time = cpuTime(() => {
      expect(findValues("1,".repeat(50_000)).length).toBeGreaterThan(0);
      expect(findValues("a1".repeat(50_000))).toEqual([]);
    });
    expect(time).toBeLessThan(2000);
  });
});

describe("statedValues", () => {
  const analyser = createAnalyser();
  const stated = (text: string) => statedValues(text, analyser);

  test("tell what they are values of", () => {
    const [commits] = stated("The repository has 150 new commits.");
    expect(commits).toMatchObject({ kind: "number", value: "150", unit: "commit", before: undefined });
    expect([...(commits?.terms ?? [])]).toEqual(expect.arrayContaining(["repositori", "commit"]));
    expect(stated("I use Flask 2.3.1.")[0]).toMatchObject({ kind: "version", before: "flask" });
  });

  test("tell what is former, changed and one of a list", () => {
    expect(stated("The price went up from $5 to $6.").map((one) => one.former)).toEqual([true, false]);
    expect(stated("It is 6, not 5.").map((one) => one.former)).toEqual([false, true]);
    expect(stated("The rent is now $900.")[0]?.changed).toBe(true);
    expect(stated("The rent is $900.")[0]?.changed).toBe(false);
    expect(stated("The sides are 3, 4 and 5 cm long.").map(({ listed }) => listed)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("are not those of code", () => {
    expect(
      stated("Here:\n```\nconst port = 5000\n```\nIt needs 3 workers.").map(({ value }) => value),
    ).toEqual(["3"]);
    expect(stated("const port = 5000;")).toEqual([]);
  });

  test("are rivals when they may be values of one thing at two times", () => {
    const rivals = (a: string, b: string): boolean =>
      stated(a).some((one) => stated(b).some((other) => areRivals(one, other)));
    expect(rivals("We have 5 cats.", "We have 6 cats.")).toBe(true);
    expect(rivals("We have 5 cats.", "We have 6 dogs.")).toBe(false);
    expect(rivals("We have 5 cats.", "We have five cats.")).toBe(false);
    expect(rivals("Flask 2.3.1", "Flask 2.3.2")).toBe(true);
    expect(rivals("Flask 2.3.1", "Redis 7.0.1")).toBe(false);
  });
});
