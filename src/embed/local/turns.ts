import type { EmbedOptions } from "../embedder.ts";

/**
 * Lets one piece of work run at a time, queries before documents: a recall does not wait behind everything that is being
 * stored. Between two pieces the process gets to do other things.
 */
export class Turns {
  readonly #waiting: Record<EmbedOptions["kind"], (() => void)[]> = { query: [], document: [] };
  #busy = false;

  async take<T>(kind: EmbedOptions["kind"], work: () => Promise<T>): Promise<T> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting[kind].push(resolve));
    this.#busy = true;
    try {
      return await work();
    } finally {
      // A timer, not a promise: promises would go on without letting anything else run.
      setTimeout(() => this.#next());
    }
  }

  #next(): void {
    const next = this.#waiting.query.shift() ?? this.#waiting.document.shift();
    if (next === undefined) this.#busy = false;
    else next();
  }
}
