import { FluxError } from "../model/errors.ts";

/** The calls of a service that are under way. They are taken while it is open, waited for when it closes, and given up in the end. */
export class OpenCalls {
  readonly #failures = new Set<(error: FluxError) => void>();
  #state: "new" | "open" | "closed" = "new";
  #idle: (() => void) | undefined;

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Without effect once it was closed. */
  open(): void {
    if (this.#state === "new") this.#state = "open";
  }

  /** @throws FluxError `closed` */
  checkOpen(): void {
    if (this.isOpen) return;
    throw new FluxError("closed", "The service is not running", {
      hint: "Calls are taken after start() and until stop().",
    });
  }

  /** @throws FluxError `closed` at once when the service is not open, and when the call is given up */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.checkOpen();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#failures.add(reject);
    try {
      call().then(resolve, reject);
      return await promise;
    } finally {
      this.#failures.delete(reject);
      if (this.#failures.size === 0) this.#idle?.();
    }
  }

  /** Takes no more calls. Resolves when none is under way. */
  async close(): Promise<void> {
    this.#state = "closed";
    if (this.#failures.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  /** Fails what is still under way. What it has begun goes on. */
  giveUp(): void {
    const error = new FluxError("closed", "The service stopped before this call had ended", {
      hint: "What it was to write may have been written: a retry with the same operation id tells.",
    });
    for (const fail of this.#failures) fail(error);
  }
}
