import { DatabaseFailure } from "./failure.ts";

const firstPause = 20;
const longestPause = 1000;

/** Milliseconds to wait before attempt number `attempt` (from 1) after the first: doubling, with jitter. */
export function pauseBefore(attempt: number): number {
  return Math.min(firstPause * 2 ** (attempt - 1), longestPause) * (0.5 + Math.random() / 2);
}

/** Runs the work again while it fails for reasons that pass, until `retryFor` milliseconds after the first failure. */
export async function retrying<T>(
  work: () => Promise<T>,
  { retryFor, signal }: { readonly retryFor: number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  let until: number | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof DatabaseFailure && error.transient)) throw error;
      until ??= performance.now() + retryFor;
      const pause = pauseBefore(attempt);
      if (performance.now() + pause > until) throw error;
      await sleep(pause, signal);
    }
  }
}

/** What a timer can wait for at most. */
const longestSleep = 2 ** 31 - 1;

/** @throws the signal's reason as soon as it is aborted */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, Math.min(milliseconds, longestSleep));
  return unlessAborted(timer.promise, signal).finally(() => clearTimeout(timeout));
}

/** The promise, or the signal's reason as soon as it is aborted; what the promise then comes to is dropped. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
