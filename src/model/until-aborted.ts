/**
 * What a promise comes to, for callers that do not wait for longer than until their signal is aborted.
 *
 * @throws the reason of the signal
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The signal of a call's options, as far as there is one. What is none, the call refuses. */
export function signalOf(options: unknown): AbortSignal | undefined {
  const { signal } = Object(options) as { readonly signal?: unknown };
  return signal instanceof AbortSignal ? signal : undefined;
}
