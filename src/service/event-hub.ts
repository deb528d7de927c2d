/** Hands events to whoever listens. A listener that is slow loses the oldest of what waits for it, and holds up nobody. */
export class EventHub<T> {
  readonly #mostWaiting: number;
  readonly #listeners = new Set<Listener<T>>();

  /** @param mostWaiting events that wait for one listener */
  constructor(mostWaiting = 1000) {
    this.#mostWaiting = mostWaiting;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(event: T): void {
    for (const listener of this.#listeners) {
      listener.events.push(event);
      if (listener.events.length > this.#mostWaiting) listener.events.shift();
      listener.wake();
    }
  }

  /** Ends all iterations, once they have had what waits for them. */
  end(): void {
    for (const listener of this.#listeners) {
      listener.ended = true;
      listener.wake();
    }
    this.#listeners.clear();
  }

  /** What is emitted from this call on, until the end or until the signal is aborted. */
  listen(signal?: AbortSignal): AsyncIterableIterator<T> {
    const listener: Listener<T> = { events: [], ended: false, wake: () => undefined };
    this.#listeners.add(listener);
    return this.#iterate(listener, signal);
  }

  async *#iterate(listener: Listener<T>, signal: AbortSignal | undefined): AsyncIterableIterator<T> {
    const abort = (): void => listener.wake();
    signal?.addEventListener("abort", abort);
    try {
      for (;;) {
        if (signal?.aborted) return;
        const event = listener.events.shift();
        if (event !== undefined) yield event;
        else if (listener.ended) return;
        else
          await new Promise<void>((wake) => {
            listener.wake = wake;
          });
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#listeners.delete(listener);
    }
  }
}

interface Listener<T> {
  readonly events: T[];
  ended: boolean;
  wake: () => void;
}
