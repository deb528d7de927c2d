/** Milliseconds of work without a pause: other calls of this process wait meanwhile. */
const longestTurn = 5;

/**
 * Makes what is called between two pieces of work: it lets others have their turn where this one has become long. A store in memory or
 * in a file does so by itself only when something is written.
 *
 * @throws from the call, the reason of a signal that was aborted meanwhile
 */
export function pausesOf(signal?: AbortSignal): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < longestTurn) return;
    await turn();
    signal?.throwIfAborted();
    begun = performance.now();
  };
}

/** Resolves when all others who are ready have had a turn of the event loop. Browsers know timers only, which take their time. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
