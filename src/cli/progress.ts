/** A line on standard error that is written over, as long as that is a terminal. */
export class Progress {
  readonly #shown = process.stderr.isTTY === true;
  #last = 0;

  /** At most ten times a second. */
  show(text: string): void {
    const now = Date.now();
    if (!this.#shown || now - this.#last < 100) return;
    this.#last = now;
    process.stderr.write(`\r\u001b[2K${text}`);
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#shown && this.#last > 0) process.stderr.write("\r\u001b[2K");
  }
}
