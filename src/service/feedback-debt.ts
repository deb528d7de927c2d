import type { FluxMemory } from "../flux/flux-memory.ts";
import type { Clock } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { Caller } from "./callers.ts";

export interface FeedbackDebtOptions {
  /** Milliseconds after a recall in which feedback is not yet missed. */
  readonly grace: number;
  /** Milliseconds after a recall from which on missing feedback is forgiven. */
  readonly maxBlock: number;
  readonly clock: Clock;
  /** Callers that are remembered. Default 10,000. */
  readonly mostKeys?: number;
}

/** Recalls that an error names. */
const mostNamed = 5;
/** Milliseconds by which the record of a recall may be late: records are written behind, and by several processes. */
const lateness = 60_000;

/**
 * Has callers give feedback on what they recalled before they recall again. A recall without hits owes nothing, and one whose
 * trace was lost or has expired neither.
 */
export class FeedbackDebt {
  readonly #grace: number;
  readonly #maxBlock: number;
  readonly #mostKeys: number;
  readonly #clock: Clock;
  /** By caller, when the oldest recall was that may lack feedback: all before it have it. Ordered by last look. */
  readonly #clearBefore = new Map<string, number>();

  constructor({ grace, maxBlock, clock, mostKeys = 10_000 }: FeedbackDebtOptions) {
    this.#clock = clock;
    this.#grace = grace;
    this.#maxBlock = maxBlock;
    this.#mostKeys = mostKeys;
  }

  /**
   * While nothing is owed it looks into the store once in a grace at most, and there at what came since the last look: what is
   * recalled from now on cannot be owed before the grace of it ends, and feedback is not taken back.
   *
   * @param key of the caller within the partition of the memory
   * @throws FluxError `feedback_required`, with the recalls in its details
   */
  async check(key: string, memory: Pick<FluxMemory, "pendingFeedback">, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const clearBefore = this.#known(key, now);
    if (now < clearBefore + this.#grace) return;
    const since = Math.max(now - this.#maxBlock, clearBefore - lateness);
    const pending = await memory
      .pendingFeedback({ since, limit: mostNamed, signal })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        // What is owed cannot be read: no reason to refuse what may be. A store that is away fails the recall by itself.
        if (FluxError.isInstance(error)) return undefined;
        throw error;
      });
    if (pending === undefined) return;
    this.#remember(key, Math.min(now, pending[0]?.askedAt ?? now));
    // The look may have written the record of a recall that ended a moment ago, with the time at which it did.
    const looked = this.#clock.now();
    const owed = pending.filter(({ askedAt }) => askedAt + this.#grace <= looked);
    if (owed.length === 0) return;
    throw new FluxError("feedback_required", "This caller owes feedback for earlier recalls", {
      hint: "Say of each grain in the details whether it was useful, then repeat the call.",
      details: {
        pending: owed.map(({ traceId, askedAt, grainIds }) => ({ traceId, askedAt, grainIds })),
      },
    });
  }

  #known(key: string, now: number): number {
    const known = this.#clearBefore.get(key);
    // A clock that was set back makes what is remembered worthless.
    return known === undefined || known > now ? Number.NEGATIVE_INFINITY : known;
  }

  #remember(key: string, clearBefore: number): void {
    this.#clearBefore.delete(key);
    this.#clearBefore.set(key, clearBefore);
    for (const oldest of this.#clearBefore.keys()) {
      if (this.#clearBefore.size <= this.#mostKeys) break;
      this.#clearBefore.delete(oldest);
    }
  }
}

/**
 * Whether a caller is asked for feedback. Who looks things up in the background, without anybody who reads them, could only
 * make it up, and who administers a memory looks at it without using it.
 */
export function owesFeedback({ role }: Caller): boolean {
  return role !== "background_lookup" && role !== "admin";
}
