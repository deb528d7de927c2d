import { setTimeout as pause } from "node:timers/promises";
import { checkKnown, checkMilliseconds, checkSignal } from "../flux/check-options.ts";
import type { ScopedMemory } from "../memory/agent-memory.ts";
import type { NewEpisode } from "../memory/episodes.ts";
import { checkFunction, checkWhole } from "../model/check-values.ts";
import { copyGiven } from "../model/copy-given.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import { randomId } from "../model/ids.ts";
import { optionNames } from "../model/options.ts";
import { within } from "../recall/within.ts";
import { type MemoryListener, tell } from "./memory-event.ts";

export interface RememberRunOptions {
  /** Milliseconds that an attempt may take, from 1. Default 5,000. */
  readonly timeout?: number | undefined;
  /** Attempts in the background after the first, 0 to 20. Default 5. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first of them, from 1; doubled each time. Default 1,000, which makes half a minute of five. */
  readonly retryDelay?: number | undefined;
  readonly onEvent?: MemoryListener | undefined;
  /** Ends the attempts in the background. */
  readonly signal?: AbortSignal | undefined;
}

/** How what a run is to leave in a memory ended. */
export interface RememberResult {
  readonly episodeId: string;
  readonly status: "stored" | "failed";
  /** What the last attempt failed with. */
  readonly cause?: FailureCause;
}

export interface RememberOutcome extends Omit<RememberResult, "status"> {
  /** `retrying` while attempts go on in the background. */
  readonly status: "stored" | "retrying" | "failed";
  /** How they end, or how it has ended. Never rejects. */
  readonly settled: Promise<RememberResult>;
}

const optionsNames = optionNames<RememberRunOptions>({
  ...{ timeout: true, retries: true, retryDelay: true, onEvent: true, signal: true },
});

/**
 * Remembers a run whose answer is there already, so that a memory that fails does not take the answer along: never rejects for
 * what the memory or the episode is to blame for. What may succeed later is tried again in the background, under the same id, so
 * that it is there once. Wait for `settled` before the memory is closed.
 *
 * @throws FluxTypeError or FluxError `invalid_argument` for a memory or options of a wrong form
 */
export async function rememberRun(
  memory: Pick<ScopedMemory, "remember">,
  episode: NewEpisode,
  options: RememberRunOptions = {},
): Promise<RememberOutcome> {
  if (typeof (Object(memory) as Partial<ScopedMemory>).remember !== "function")
    throw new FluxTypeError("invalid_argument", `memory must be that of one user, not ${describe(memory)}`);
  const checked = checkKnown(options, optionsNames);
  const { timeout = 5000, retries = 5, retryDelay = 1000, onEvent, signal } = checked;
  checkMilliseconds(timeout, "timeout", 1, 600_000);
  checkMilliseconds(retryDelay, "retryDelay", 1, 600_000);
  checkWhole(retries, "retries", 0, 20);
  checkFunction(onEvent, "onEvent");
  checkSignal(signal);
  const { id = `ep_${randomId()}`, occurredAt = Date.now() } = Object(episode) as Partial<NewEpisode>;
  // Known before the first attempt, of which nobody may know whether it arrived. Copied, since the caller may go on with his
  // object while it waits.
  const kept = { ...copyGiven(episode), id, occurredAt };

  const attempt = async (number: number): Promise<Attempted> => {
    try {
      await within({ timeout }, (ended) => memory.remember(kept, { signal: ended }));
      return report({ status: "stored" }, number);
    } catch (error) {
      const again = number <= retries && mayPass(error) && signal?.aborted !== true;
      return report({ status: again ? "retrying" : "failed", cause: failureCause(error) }, number);
    }
  };
  const report = (attempted: Attempted, number: number): Attempted => {
    tell(onEvent, { type: "memory_write", episodeId: id, attempt: number, ...attempted });
    return attempted;
  };
  const goOn = async (first: Attempted): Promise<RememberResult> => {
    let last = first;
    for (let number = 2; last.status === "retrying"; number++) {
      await pause(retryDelay * 2 ** (number - 2), undefined, { signal }).catch(() => undefined);
      last =
        signal?.aborted === true ? report({ ...last, status: "failed" }, number - 1) : await attempt(number);
    }
    return { episodeId: id, ...last, status: last.status };
  };

  const first = await attempt(1);
  return { episodeId: id, ...first, settled: goOn(first) };
}

interface Attempted {
  readonly status: RememberOutcome["status"];
  readonly cause?: FailureCause;
}

/** An error that says of itself that it stays, such as that of an episode which is too large, is not tried again. */
function mayPass(error: unknown): boolean {
  if (!FluxError.isInstance(error)) return !(error instanceof TypeError);
  return error.retryable;
}
