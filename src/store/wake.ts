import type { Ledger } from "./ledger.ts";

/**
 * Begins to wait for the next commit. Begun before looking, it misses nothing that comes between the look and the wait;
 * disposing of it ends it.
 */
export function startWaiting(
  ledger: Ledger,
  timeout: number,
  signal: AbortSignal | undefined,
): AsyncDisposable & { readonly woken: Promise<void> } {
  const stop = new AbortController();
  const woken = ledger.changes.wait({
    timeout,
    signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
  });
  // Whoever only looks once never awaits it; an error is then that of the next call.
  woken.catch(() => undefined);
  return {
    woken,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await woken.catch(() => undefined);
    },
  };
}
