import { AsyncLocalStorage } from "node:async_hooks";
import { checkKnown } from "../flux/check-options.ts";
import { describe, FluxTypeError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import { optionNames } from "../model/options.ts";

/** Data of the caller's own that a run carries, for tools; never read as a user. */
export type RunMetadata = { readonly [key: string]: unknown };

export interface RunContextOptions {
  /** Whose run it is; null for no user by name. Never left out, so that nobody becomes anonymous by mistake. */
  readonly userId: string | null;
  /** Default null: a run outside any session. */
  readonly sessionId?: string | null | undefined;
  /** Default empty. */
  readonly runId?: string | undefined;
  /** Default empty. Copied, not what its values hold. */
  readonly metadata?: RunMetadata | undefined;
}

const optionsNames = optionNames<RunContextOptions>({
  userId: true,
  sessionId: true,
  runId: true,
  metadata: true,
});

/** For whom, and in which session, a run of an agent takes place. Cannot be changed. */
export class RunContext {
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly runId: string;
  readonly metadata: RunMetadata;

  /**
   * @throws FluxTypeError `invalid_user_id` for a user that is neither a string nor null, undefined too; FluxTypeError or FluxError
   *   `invalid_id`, `invalid_user_id`, `invalid_argument` for what else does not fit
   */
  constructor(options: RunContextOptions) {
    const checked = checkKnown(options, optionsNames, "A run context");
    const { userId, sessionId = null, runId = "", metadata = {} } = checked;
    if (!isPlainObject(metadata))
      throw new FluxTypeError("invalid_argument", `metadata must be an object, not ${describe(metadata)}`);
    this.userId = userId === null ? null : checkId(userId, "userId", "invalid_user_id");
    this.sessionId = sessionId === null ? null : checkId(sessionId, "sessionId");
    this.runId = runId === "" ? "" : checkId(runId, "runId");
    this.metadata = Object.freeze({ ...metadata });
    Object.freeze(this);
  }

  /** User and session in the form that `memory.for` takes. */
  get scope(): { readonly userId: string | null; readonly sessionId: string | undefined } {
    return { userId: this.userId, sessionId: this.sessionId ?? undefined };
  }

  /** A value of the metadata's own properties, or the default where there is none. */
  get(key: string, byDefault?: unknown): unknown {
    return Object.hasOwn(this.metadata, key) ? this.metadata[key] : byDefault;
  }

  /**
   * Another context: what is named is replaced, null included; what is left out, or undefined, stays as it is.
   *
   * @throws as the constructor
   */
  withOverrides(overrides: Partial<RunContextOptions>): RunContext {
    if (!isPlainObject(overrides))
      throw new FluxTypeError("invalid_argument", `overrides must be an object, not ${describe(overrides)}`);
    const named = Object.entries(overrides).filter(([, value]) => value !== undefined);
    return new RunContext({ ...this, ...Object.fromEntries(named) });
  }
}

const running = new AsyncLocalStorage<RunContext>();
const outside = new RunContext({ userId: null });

/** The context of the run in which this is called, by tools for instance; outside of a run an empty one. Never throws. */
export function getRunContext(): RunContext {
  return running.getStore() ?? outside;
}

/**
 * Calls a function within a run: it, and whatever it starts and waits for, gets this context from {@link getRunContext}. Inside
 * of another run the inner context counts, and the outer one again afterwards.
 *
 * @returns what the function returns
 * @throws as the constructor of {@link RunContext}, and what the function throws
 */
export function runWithContext<T>(context: RunContext | RunContextOptions, run: () => T): T {
  if (typeof run !== "function")
    throw new FluxTypeError("invalid_argument", `run must be a function, not ${describe(run)}`);
  return running.run(context instanceof RunContext ? context : new RunContext(context), run);
}
