import type { Change } from "../model/change.ts";
import { checkObject } from "./checks.ts";
import type { Ledger } from "./ledger.ts";
import { names } from "./option-names.ts";
import { startWaiting } from "./wake.ts";

export interface FollowOptions {
  /** Cursor to start behind. Default: the oldest change that is kept. */
  readonly after?: string | undefined;
  /** Most changes in one step. Default 1,000. */
  readonly limit?: number;
  /** Longest pause between two looks, in milliseconds; changes usually wake the follower sooner. Default 1,000. */
  readonly interval?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows the change feed without end. Each step has the cursor to resume behind once its changes are dealt with.
 *
 * @throws FluxError `cursor_too_old` when the follower fell behind the feed's retention
 */
export async function* followChanges(
  ledger: Ledger,
  options: FollowOptions = {},
): AsyncGenerator<{ readonly changes: readonly Change[]; readonly cursor: string }> {
  const { after, limit, interval = 1000, signal } = checkObject(options, "options", names.follow);
  let cursor = after;
  while (signal?.aborted !== true) {
    await using wake = startWaiting(ledger, interval, signal);
    const step = await ledger.changes.read({ after: cursor, ...(limit === undefined ? {} : { limit }) });
    cursor = step.cursor;
    if (step.changes.length > 0) yield step;
    else await wake.woken;
  }
}
