import { expect, test } from "vitest";
import { FluxError } from "../model/errors.ts";
import { BackgroundWork } from "./background-work.ts";

test("work that an error ended is taken up again, and tells of it meanwhile", async () => {
  const again = Promise.withResolvers<void>();
  let attempts = 0;
  const work = new BackgroundWork(
    {
      async work({ signal } = {}) {
        attempts += 1;
        if (attempts < 3) throw new FluxError("storage_full", "The disk is full", { hint: "Make room." });
        again.resolve();
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        return 0;
      },
    },
    1,
  );
  await Promise.resolve();
  expect(work.failure).toEqual({ code: "storage_full", hint: "Make room.", retryable: false });
  await again.promise;
  expect(work.failure).toBeUndefined();
  await work.stop();
  expect(attempts).toBe(3);
});

test("stopping does not wait for the next attempt", async () => {
  const work = new BackgroundWork({ work: () => Promise.reject(new Error("failed")) }, 1_000_000);
  await work.stop();
  expect(work.failure).toEqual({ code: "Error" });
});

test("stopping waits for what was begun", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let done = false;
  const work = new BackgroundWork({
    async work() {
      await promise;
      done = true;
      return 1;
    },
  });
  const stopped = work.stop();
  resolve();
  await stopped;
  expect(done).toBe(true);
});
