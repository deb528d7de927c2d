import { expect, test, vi } from "vitest";
import { Background } from "./background.ts";

test("one loop does what was left, however often it is woken, and takes up what was left meanwhile", async () => {
  let running = 0;
  let most = 0;
  let passes = 0;
  const background: Background = new Background(async () => {
    running += 1;
    most = Math.max(most, running);
    passes += 1;
    await Promise.resolve();
    if (passes === 1) background.wake();
    running -= 1;
    return { waiting: 0, dead: 0 };
  });
  for (let i = 0; i < 10; i++) background.wake();
  await background.idle();
  expect(most).toBe(1);
  expect(passes).toBe(2);
  await background.stop();
});

test("what fails or has to wait is tried again later and later, in at most a minute", async () => {
  vi.useFakeTimers();
  try {
    const at: number[] = [];
    const start = Date.now();
    const background = new Background(async () => {
      at.push(Date.now() - start);
      if (at.length % 2 === 0) throw new Error("down");
      return { waiting: 1, dead: 0 };
    });
    background.wake();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(at.slice(0, 9)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183].map((seconds) => seconds * 1000));
    await background.stop();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(at).toHaveLength(9);
  } finally {
    vi.useRealTimers();
  }
});

test("stopping aborts the pass, and waits for it", async () => {
  let ended = false;
  const background = new Background(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          ended = true;
          resolve({ waiting: 5, dead: 0 });
        });
      }),
  );
  background.wake();
  await background.stop();
  expect(ended).toBe(true);
  background.wake();
  await background.idle();
});
