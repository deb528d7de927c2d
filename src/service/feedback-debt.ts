import type { PendingFeedback, PendingOptions } from "../flux/flux-memory.ts";
import { FluxError } from "../model/errors.ts";
import type { Caller } from "./callers.ts";

export interface FeedbackDebtOptions {
  /** Milliseconds after a recall in which feedback is not yet missed. */
  readonly grace: number;
  /** Milliseconds after a recall from which on missing feedback is forgiven. */
  readonly maxBlock: number;
  /** Callers that are remembered. Default 10,000. */
  readonly mostKeys?: number;
}

/** Recalls that an error names. */
const mostNamed = 5;

/**
 * Has callers give feedback on what they recalled before they recall again. A recall without hits owes nothing, and one whose
 * trace was lost or has expired neither.
 */
export class FeedbackDebt {
  readonly #grace: number;
  readonly #maxBlock: number;
  readonly #mostKeys: number;
  /** When a caller may owe something at the earliest, in milliseconds. */
  readonly #clearUntil = new Map<string, number>();

  constructor({ grace, maxBlock, mostKeys = 10_000 }: FeedbackDebtOptions) {
    this.#grace = grace;
    this.#maxBlock = maxBlock;
    this.#mostKeys = mostKeys;
  }

  /**
   * Looks into the store once in a grace at most while nothing is owed: what is recalled from now on cannot be owed before the
   * grace of it ends, whoever recalls it.
   *
   * @param key of the caller within the partition of the memory
   * @throws FluxError `feedback_required`, with the recalls in its details
   */
  async check(
    key: string,
    memory: { pendingFeedback(options: PendingOptions): Promise<readonly PendingFeedback[]> },
    { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const clearUntil = this.#clearUntil.get(key);
    // A clock that was set back makes what is remembered worthless.
    if (clearUntil !== undefined && now < clearUntil && clearUntil <= now + this.#grace) return;
    const since = now - this.#maxBlock;
    const pending = await memory.pendingFeedback({ since, limit: mostNamed, signal });
    const owed = pending.filter(({ askedAt }) => askedAt + this.#grace <= now);
    if (owed.length === 0) return this.#remember(key, Math.min(now, pending[0]?.askedAt ?? now));
    throw new FluxError("feedback_required", "This caller owes feedback for earlier recalls", {
      hint: "Say of each grain in the details whether it was useful, then repeat the call.",
      details: {
        pending: owed.map(({ traceId, askedAt, grainIds }) => ({ traceId, askedAt, grainIds })),
      },
    });
  }

  #remember(key: string, from: number): void {
    this.#clearUntil.delete(key);
    this.#clearUntil.set(key, from + this.#grace);
    for (const oldest of this.#clearUntil.keys()) {
      if (this.#clearUntil.size <= this.#mostKeys) break;
      this.#clearUntil.delete(oldest);
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
