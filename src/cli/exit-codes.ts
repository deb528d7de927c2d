import type { ErrorCode } from "../model/errors.ts";

/** How the program ends. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** Something failed; the message says what, with an error code. */
  failed: 1,
  /** The command line, or a value in it, is not valid. */
  usage: 2,
  /** `status`: the daemon of this instance is not running. */
  notRunning: 3,
  /** The daemon of this instance is running already. */
  alreadyRunning: 4,
  /** Interrupted by a signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each of them means, for the reference. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "done",
  1: "failed: the message says what, with one of the codes in `errors.md`",
  2: "the command line, or a value in it, is not valid",
  3: "`status`: the daemon of the instance is not running",
  4: "the daemon of the instance is running already",
  130: "interrupted",
};

const ofErrors: Partial<Record<ErrorCode, ExitCode>> = {
  invalid_argument: exitCodes.usage,
  invalid_id: exitCodes.usage,
  invalid_user_id: exitCodes.usage,
  daemon_running: exitCodes.alreadyRunning,
};

/** How the program ends after an error with this code. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return ofErrors[code] ?? exitCodes.failed;
}
