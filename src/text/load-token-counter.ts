import { describe, FluxTypeError } from "../model/errors.ts";
import { estimatedTokens, type TokenCounter } from "./token-counter.ts";

const encodings = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base"),
};

/** o200k_base is that of GPT-4o and later, cl100k_base that of GPT-4 and GPT-3.5. */
export type TokenEncoding = "o200k_base" | "cl100k_base";

/**
 * The counter of an encoding, by the optional package `gpt-tokenizer`; without that package, {@link estimatedTokens}, which
 * says that it is not exact. Loading takes about 0.4 s and 2 MB the first time, and is left to a dynamic import.
 *
 * @throws FluxTypeError `invalid_argument` for an encoding that is neither
 */
export async function loadTokenCounter(encoding: TokenEncoding = "o200k_base"): Promise<TokenCounter> {
  if (!Object.hasOwn(encodings, encoding)) {
    const message = `encoding must be o200k_base or cl100k_base, not ${describe(encoding)}`;
    throw new FluxTypeError("invalid_argument", message);
  }
  try {
    const { countTokens } = await encodings[encoding]();
    // Text is never an instruction to the tokenizer: "<|endoftext|>" in it is these characters.
    const plain = { disallowedSpecial: new Set<string>() };
    const count = (text: string): number => (text === "" ? 0 : countTokens(text, plain));
    return { id: encoding, exact: true, count: (text) => sumOfRuns(text, count) };
  } catch {
    return estimatedTokens;
  }
}

/** The tokenizer takes quadratic time for a run without a change between white space and other characters. */
const longestRun = 400;

/** Counts long runs in parts, which may add a token for each part; all other text is counted whole. */
function sumOfRuns(text: string, count: (text: string) => number): number {
  let total = 0;
  let start = 0;
  for (const match of text.matchAll(/\S+|\s+/gu)) {
    const run = match[0];
    if (run.length <= longestRun) continue;
    total += count(text.slice(start, match.index));
    for (let at = 0; at < run.length; ) {
      const end = at + longestRun;
      const split = end < run.length && /[\ud800-\udbff]/.test(run.charAt(end - 1)) ? end + 1 : end;
      total += count(run.slice(at, split));
      at = split;
    }
    start = match.index + run.length;
  }
  return total + count(text.slice(start));
}
