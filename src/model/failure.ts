import { FluxError } from "./errors.ts";

/** What can be told of an error: not its message, which may hold what was stored. */
export interface FailureCause {
  /** Code of a `FluxError`, else the error's name. */
  readonly code: string;
  /** What can be done about it. */
  readonly hint?: string;
  /** Whether the same may succeed later, where the error says. */
  readonly retryable?: boolean;
}

export function failureCause(error: unknown): FailureCause {
  if (!FluxError.isInstance(error)) return { code: error instanceof Error ? error.name : "error" };
  const { code, hint, retryable } = error;
  return { code, ...(hint === undefined ? {} : { hint }), retryable };
}
