import type { FluxError } from "../../model/errors.ts";
import { askedToWait, failureOf } from "./failure.ts";

export interface AttemptOptions {
  /** Names the model in messages. */
  readonly name: string;
  /** How often to try again after the first attempt. */
  readonly retries: number;
  /** Milliseconds for each attempt. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

const firstPause = 500;
/** Who is asked to wait for longer than a minute is told so instead. */
const longestPause = 60_000;

/**
 * Calls until it works, no attempt is left, or the failure is one that stays. Waits for as long as the service asks, else
 * for 0.5 s, 1 s, 2 s … with jitter.
 */
export async function attempted<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { name, retries, timeout, signal }: AttemptOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await inTime(call, timeout, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = failureOf(error, name);
      const wait = pauseAfter(failure, attempt);
      if (!failure.retryable || attempt >= retries || wait > longestPause) throw failure;
      await pause(wait, signal);
    }
  }
}

function pauseAfter(failure: FluxError, attempt: number): number {
  return askedToWait(failure) ?? firstPause * 2 ** attempt * (0.75 + Math.random() / 2);
}

/** Also ends calls that pay no attention to their signal. */
async function inTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    controller.abort(reason);
    ended.reject(reason);
  };
  const abort = (): void => end(signal?.reason);
  const timer = setTimeout(() => end(new DOMException("The call took too long", "TimeoutError")), timeout);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await Promise.race([ended.promise, call(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal?.reason);
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  await promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}
