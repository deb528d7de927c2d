/** Lets calls about the same thing take turns, where each would undo the preparations of the others. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Calls once those before it with the same key have ended, whatever became of them. */
  async take<T>(key: string, call: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = after(before, call);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}

async function after<T>(before: Promise<unknown> | undefined, call: () => Promise<T>): Promise<T> {
  await before?.catch(() => undefined);
  return call();
}
