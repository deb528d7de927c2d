import type { Clock } from "../../model/clock.ts";

/** A clock that stands still until it is told otherwise, and may go back. */
export class ManualClock implements Clock {
  #now: number;

  /** @param now milliseconds since 1970-01-01T00:00:00Z; default: the first moment of 2026 */
  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    this.#now = now;
  }

  /** Moves by some milliseconds: back when they are negative. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
