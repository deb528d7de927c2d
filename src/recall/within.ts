import { FluxError } from "../model/errors.ts";

/** How long a model is waited for. */
export interface ModelWait {
  /** Milliseconds. */
  readonly timeout: number;
  /** Ends the waiting for all models, with its reason. */
  readonly stop?: AbortSignal | undefined;
}

/** Half of the 60 s that a request is commonly given: what comes after the model has to fit as well. */
export const defaultModelTimeout = 30_000;

/**
 * The answer of a model, which need not listen to the signal that it is given. What it rejects with is passed on.
 *
 * @throws FluxError `timeout`; the reason of an aborted signal, the caller's or `stop`
 */
export async function within<T>(
  { timeout, stop, signal }: ModelWait & { readonly signal?: AbortSignal | undefined },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  stop?.throwIfAborted();
  const ended = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    ended.abort(reason);
    reject(reason);
  };
  // By hand, so that nothing is left on `stop`, which outlives many calls.
  const ending = (): void => end((signal?.aborted === true ? signal : stop)?.reason);
  const timer = setTimeout(() => {
    end(new FluxError("timeout", "A model ran into its time-out", { retryable: true }));
  }, timeout);
  signal?.addEventListener("abort", ending, { once: true });
  stop?.addEventListener("abort", ending, { once: true });
  try {
    return await Promise.race([call(ended.signal), promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", ending);
    stop?.removeEventListener("abort", ending);
  }
}
