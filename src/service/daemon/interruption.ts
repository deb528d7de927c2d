/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupt = (): void => {
    // Without listeners they do again what they do by default.
    for (const signal of signals) process.off(signal, interrupt);
    controller.abort(new DOMException("Interrupted", "AbortError"));
  };
  for (const signal of signals) process.on(signal, interrupt);
  return controller.signal;
}
