/** Milliseconds for which texts are worked on without a pause: other calls of this process wait meanwhile. */
const longestTurn = 20;

/**
 * Makes what is called between two texts: it pauses where the turn has become long.
 *
 * @throws from the call, the reason of a signal that was aborted meanwhile
 */
export function pausesOf(signal: AbortSignal): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < longestTurn) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    begun = performance.now();
  };
}
