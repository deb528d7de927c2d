import { FluxError, FluxTypeError } from "../model/errors.ts";
import type { Analyser } from "./analyser.ts";
import type { Token } from "./token.ts";

/**
 * What an analyser makes of a text. It is not to throw, but can be anybody's.
 *
 * @throws FluxError `invalid_argument`, with what the analyser threw as its cause; FluxTypeError when it made no list of terms
 */
export function tokensOf(analyser: Analyser, text: string): readonly Token[] {
  let tokens: unknown;
  try {
    tokens = analyser.analyse(text);
  } catch (cause) {
    if (FluxError.isInstance(cause)) throw cause;
    throw new FluxError("invalid_argument", "The analyser threw an error", { cause });
  }
  if (Array.isArray(tokens) && tokens.every(isToken)) return tokens;
  throw new FluxTypeError("invalid_argument", "The analyser did not make a list of terms");
}

function isToken(token: unknown): token is Token {
  const { term, start, end } = Object(token) as { readonly [name in keyof Token]?: unknown };
  return typeof term === "string" && Number.isInteger(start) && Number.isInteger(end);
}
