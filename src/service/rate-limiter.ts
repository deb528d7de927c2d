import { FluxError } from "../model/errors.ts";

export interface RateLimiterOptions {
  /** Most that one key may take within any minute. */
  readonly limit: number;
  /** Keys that are remembered; beyond them the one that was quiet for longest is forgotten. Default 10,000. */
  readonly mostKeys?: number;
}

/** Taken by one key, by slices of the window: the numbers of slices rise, and are never more than fit the window. */
type Slices = { readonly slice: number; taken: number }[];

/** Milliseconds. */
const windowLength = 60_000;
const sliceLength = windowLength / 60;

/**
 * How much each key takes within a sliding window of a minute. What is refused is not counted. A slice is counted until the whole
 * of it has left the window, so that the limit holds for every stretch of time, and memory does not grow with the limit.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #mostKeys: number;
  // Ordered by last use.
  readonly #keys = new Map<string, Slices>();

  constructor({ limit, mostKeys = 10_000 }: RateLimiterOptions) {
    this.#limit = limit;
    this.#mostKeys = mostKeys;
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#keys.size;
  }

  /**
   * @param now milliseconds
   * @throws FluxError `rate_limited` with the milliseconds to wait in its details, and takes nothing
   */
  take(key: string, count: number, now: number): void {
    const slice = Math.floor(now / sliceLength);
    const slices = live(this.#keys.get(key) ?? [], now);
    const taken = slices.reduce((sum, each) => sum + each.taken, 0);
    if (taken + count > this.#limit) {
      throw new FluxError("rate_limited", `This caller may store ${this.#limit} items a minute`, {
        hint: "Wait for as long as the details say, or store less at once.",
        retryable: count <= this.#limit,
        details: { retryAfter: wait(slices, taken + count - this.#limit, now) },
      });
    }
    const last = slices.at(-1);
    if (last?.slice === slice) last.taken += count;
    else slices.push({ slice, taken: count });
    this.#keys.delete(key);
    this.#keys.set(key, slices);
    this.#forget(now);
  }

  #forget(now: number): void {
    for (const [key, slices] of this.#keys) {
      if (this.#keys.size <= this.#mostKeys && live(slices, now).length > 0) break;
      this.#keys.delete(key);
    }
  }
}

/** Slices of the window that ends now. A clock that was set back leaves some in the future: they are not waited for. */
function live(slices: Slices, now: number): Slices {
  return slices.filter(({ slice }) => slice * sliceLength <= now && leaves(slice) > now);
}

/** When the whole of a slice is outside of the window. */
function leaves(slice: number): number {
  return (slice + 1) * sliceLength + windowLength;
}

/** Milliseconds until at least `excess` of what was taken has left the window. */
function wait(slices: Slices, excess: number, now: number): number {
  let left = 0;
  for (const { slice, taken } of slices) {
    left += taken;
    if (left >= excess) return Math.ceil(leaves(slice) - now);
  }
  return windowLength;
}
