import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import type { GrainConditions } from "../store/search.ts";
import { checkConditions } from "../store/translate-search.ts";
import { estimatedTokens, type TokenCounter } from "../text/token-counter.ts";

export interface RecallOptions {
  /** Hits at most, 1 to 100. Default 10. */
  readonly k?: number | undefined;
  /** Hits with a lower score are left out. Default 0. */
  readonly minScore?: number | undefined;
  /** Tokens that `renderMemories` may make of the hits. What does not fit is left out, and a first hit that alone does not fit is cut. */
  readonly maxTokens?: number | undefined;
  /** Counts tokens for `maxTokens`. Default: an estimate. */
  readonly tokenCounter?: TokenCounter | undefined;
  /** Only memories that fulfil this. Without `ownerKinds`, what was said: facts, which say it again, are left out. */
  readonly where?: GrainConditions | undefined;
  /**
   * Leaves all hits in the order of their scores: what was replaced may stand before what replaced it, and an older value of
   * what is asked before a newer one. Default false.
   */
  readonly byScore?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckedOptions {
  readonly k: number;
  readonly minScore: number;
  readonly maxTokens: number | undefined;
  readonly tokenCounter: TokenCounter;
  readonly where: GrainConditions;
  readonly byScore: boolean;
  readonly signal: AbortSignal | undefined;
}

const maxHits = 100;

/** @throws FluxTypeError or FluxError `invalid_argument`, naming the option; `invalid_filter` for conditions */
export function checkOptions(options: RecallOptions): CheckedOptions {
  if (typeof options !== "object" || options === null)
    throw new FluxTypeError("invalid_argument", `options must be an object, not ${describe(options)}`);
  const { k = 10, minScore = 0, maxTokens, tokenCounter = estimatedTokens, where = {} } = options;
  const { byScore = false, signal } = options;
  checkWhole(k, "k", 1, maxHits);
  if (!(typeof minScore === "number" && minScore >= 0))
    throw new FluxError("invalid_argument", "minScore must be a number from 0");
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1))
    throw new FluxError("invalid_argument", "maxTokens must be a whole number from 1");
  if (typeof tokenCounter?.count !== "function")
    throw new FluxTypeError("invalid_argument", "tokenCounter must have a count function");
  if (typeof where !== "object" || where === null)
    throw new FluxTypeError("invalid_argument", `where must be an object, not ${describe(where)}`);
  const conditions = copyConditions(where);
  checkConditions(conditions);
  if (typeof byScore !== "boolean")
    throw new FluxTypeError("invalid_argument", `byScore must be true or false, not ${describe(byScore)}`);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new FluxTypeError("invalid_argument", "signal must be an AbortSignal");
  return {
    ...{ k, minScore, maxTokens, tokenCounter: checkedCounter(tokenCounter) },
    ...{ where: conditions, byScore, signal },
  };
}

/** A copy of all that conditions hold: what the caller changes during a recall does not count. */
function copyConditions(where: GrainConditions): GrainConditions {
  // The copy of a class instance would be a plain object.
  if (!isPlainObject(where))
    throw new FluxTypeError("invalid_filter", `where must be a plain object, not ${describe(where)}`);
  try {
    return structuredClone(where);
  } catch (cause) {
    throw new FluxTypeError("invalid_filter", "where must hold plain data", { cause });
  }
}

/** A counter that says so when it does not count. */
export function checkedCounter(counter: TokenCounter): TokenCounter {
  return {
    id: counter.id,
    exact: counter.exact,
    count(text) {
      let tokens: unknown;
      try {
        tokens = counter.count(text);
      } catch (cause) {
        if (FluxError.isInstance(cause)) throw cause;
        throw new FluxError("invalid_argument", "tokenCounter threw", { cause });
      }
      if (typeof tokens === "number" && tokens >= 0 && tokens < Infinity) return tokens;
      throw new FluxTypeError("invalid_argument", "tokenCounter must count with numbers from 0");
    },
  };
}
