import fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

/** Milliseconds to wait when it is refused. */
function refused(take: () => void): number {
  try {
    take();
  } catch (error) {
    expect(error).toMatchObject({ code: "rate_limited" });
    return (error as { details: { retryAfter: number } }).details.retryAfter;
  }
  return 0;
}

test("takes up to the limit, and again when what was taken has left the window", () => {
  const limiter = new RateLimiter({ limit: 5 });
  limiter.take("a", 3, 0);
  limiter.take("a", 2, 30_000);
  const wait = refused(() => limiter.take("a", 1, 30_000));
  expect(wait).toBe(31_000);
  expect(refused(() => limiter.take("a", 1, 30_000 + wait - 1))).toBe(1);
  limiter.take("a", 3, 30_000 + wait);
  expect(refused(() => limiter.take("a", 1, 30_000 + wait))).toBeGreaterThan(0);
});

test("what is refused is not counted, and keys do not count for each other", () => {
  const limiter = new RateLimiter({ limit: 5 });
  limiter.take("a", 4, 0);
  for (let i = 0; i < 100; i++) expect(refused(() => limiter.take("a", 2, i))).toBeGreaterThan(0);
  limiter.take("a", 1, 100);
  limiter.take("b", 5, 100);
});

test("what can never be taken is no matter of waiting", () => {
  const limiter = new RateLimiter({ limit: 5 });
  expect(() => limiter.take("a", 6, 0)).toThrow(expect.objectContaining({ retryable: false }));
  limiter.take("a", 5, 0);
  expect(() => limiter.take("a", 1, 0)).toThrow(expect.objectContaining({ retryable: true }));
});

test("a clock that is set back locks nobody out", () => {
  const limiter = new RateLimiter({ limit: 5 });
  limiter.take("a", 5, 1e12);
  limiter.take("a", 5, 0);
  expect(refused(() => limiter.take("a", 1, 0))).toBeGreaterThan(0);
});

test("callers that come and go are forgotten", () => {
  const limiter = new RateLimiter({ limit: 5, mostKeys: 100 });
  for (let i = 0; i < 1000; i++) limiter.take(`caller ${i}`, 1, 0);
  expect(limiter.size).toBe(100);
  limiter.take("late", 1, 120_000);
  expect(limiter.size).toBe(1);
});

test("in no stretch of a window more is taken than the limit, and a wait that is kept is long enough", () => {
  const calls = fc.array(
    fc.record({ pause: fc.nat(40_000), count: fc.integer({ min: 1, max: 10 }), waits: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(calls, fc.integer({ min: 10, max: 30 }), (list, limit) => {
      const limiter = new RateLimiter({ limit });
      const taken: { readonly at: number; readonly count: number }[] = [];
      let now = 0;
      for (const { pause, count, waits } of list) {
        now += pause;
        const wait = refused(() => limiter.take("a", count, now));
        if (wait > 0 && !waits) continue;
        now += wait;
        if (wait > 0) limiter.take("a", count, now);
        taken.push({ at: now, count });
      }
      for (const { at } of taken) {
        const inWindow = taken.filter((each) => each.at >= at && each.at < at + 60_000);
        expect(inWindow.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
