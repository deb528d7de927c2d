import { isBusy } from "./errors.ts";

/** Milliseconds of the longest pause between two attempts to get a lock. */
const longestPause = 16;

/** Waits before another attempt: 1 ms at first, then longer, by chance, so that processes do not keep step. */
export function pause(attempt: number): Promise<void> {
  const ceiling = Math.min(2 ** attempt, longestPause);
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * ceiling));
}

/**
 * Runs a step, and again while another connection holds the lock.
 *
 * @param timeout milliseconds
 * @throws SqliteError SQLITE_BUSY after the time-out
 */
export async function untilFree<T>(step: () => T | Promise<T>, timeout: number): Promise<T> {
  const start = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      const result = step();
      // An await costs as much as a short read, which is mostly answered at once.
      return result instanceof Promise ? await result : result;
    } catch (error) {
      if (!isBusy(error) || performance.now() - start >= timeout) throw error;
    }
    await pause(attempt);
  }
}
