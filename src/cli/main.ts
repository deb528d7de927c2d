import { CommanderError } from "commander";
import { type ErrorCode, FluxError } from "../model/errors.ts";
import { jsonLine } from "../model/json-line.ts";
import { packageVersion } from "../service/daemon/version.ts";
import { errorToWire, type WireError } from "../service/protocol/translate.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "./exit-codes.ts";
import { printable } from "./printable.ts";
import { createProgram } from "./program.ts";

/**
 * Runs the command line. Errors are told as `error [code]: message`, with what to do about them; with --json as an object on
 * standard output as well. A stack is only shown when FLUX_DEBUG is set.
 *
 * @param args without the program itself
 * @returns how the process should end
 */
export async function main(args: readonly string[]): Promise<ExitCode> {
  // Whoever reads may have read enough: `flux … | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(exitCodes.ok);
  });
  try {
    await createProgram(packageVersion()).parseAsync(args, { from: "user" });
    return (process.exitCode ?? exitCodes.ok) as ExitCode;
  } catch (error) {
    if (process.env.FLUX_DEBUG) console.error(error);
    return tell(error, { json: args.includes("--json") });
  }
}

function tell(error: unknown, { json }: { readonly json: boolean }): ExitCode {
  if (error instanceof CommanderError) {
    // Help and version were printed.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === "commander.help") return exitCodes.usage;
    const [message = "", ...suggestion] = error.message.replace(/^error: /, "").split("\n");
    const hint =
      suggestion.join(" ").replace(/^\((.*)\)$/, "$1") ||
      "flux --help lists the commands, and flux COMMAND --help the options of one.";
    return report({ code: "usage", message, hint, retryable: false }, { json, exit: exitCodes.usage });
  }
  if (FluxError.isInstance(error)) return report(errorToWire(error), { json, exit: exitCodeOf(error.code) });
  if (error instanceof Error && error.name === "AbortError") return exitCodes.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOfSystem(error);
  if (code !== undefined)
    return report({ code, message, retryable: false }, { json, exit: exitCodeOf(code) });
  const hint = "Set FLUX_DEBUG=1 to see where it happened.";
  return report(
    { code: "internal_error", message, hint, retryable: false },
    { json, exit: exitCodes.failed },
  );
}

/** What of the codes an error of the system is, such as of a file that cannot be written. */
function codeOfSystem(error: unknown): ErrorCode | undefined {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "storage_full";
  return ["EROFS", "EACCES", "EPERM"].includes(code) ? "storage_readonly" : "unavailable";
}

function report(
  error: WireError,
  { json, exit }: { readonly json: boolean; readonly exit: ExitCode },
): ExitCode {
  if (json) process.stdout.write(`${jsonLine({ error })}\n`);
  process.stderr.write(`error [${error.code}]: ${printable(error.message)}\n`);
  if (error.hint !== undefined) process.stderr.write(`hint: ${error.hint}\n`);
  return exit;
}
