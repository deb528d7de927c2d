import { appendFileSync, copyFileSync, statSync, truncateSync } from "node:fs";
import { FluxError } from "../../model/errors.ts";
import { privateFile } from "./private-files.ts";

/** What happens to a daemon, a line each. Never what is stored or asked. */
export interface DaemonLog {
  info(event: string, fields?: LogFields): void;
  error(event: string, error: unknown, fields?: LogFields): void;
}

export type LogFields = { readonly [name: string]: string | number | boolean | undefined };

/** Bytes of the log; the one before is kept as `daemon.log.1`. */
const longest = 5_000_000;

/** Appends to a file, which is begun anew when it has become long. */
export function fileLog(
  file: string,
  { maxBytes = longest }: { readonly maxBytes?: number } = {},
): DaemonLog {
  return logTo((line) => {
    // Copied and cut, not renamed: the standard error of the daemon is appended to the same file.
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size + line.length > maxBytes) {
      copyFileSync(file, `${file}.1`);
      truncateSync(file);
    }
    appendFileSync(file, line, { mode: privateFile });
  });
}

export function logTo(write: (line: string) => void): DaemonLog {
  const line = (level: string, event: string, fields: LogFields): void => {
    const parts = Object.entries(fields).filter(([, value]) => value !== undefined);
    const text = parts.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join("");
    try {
      write(`${new Date().toISOString()} ${level} ${event}${text}\n`);
    } catch {
      // A disk that is full, or a folder that was removed, is no reason to stop working.
    }
  };
  return {
    info: (event, fields = {}) => line("info", event, fields),
    error: (event, error, fields = {}) => line("error", event, { ...fields, ...describeError(error) }),
  };
}

/** Messages of other errors than our own may hold anything: they are left out, and where it happened is told instead. */
function describeError(error: unknown): LogFields {
  if (FluxError.isInstance(error)) return { code: error.code, message: error.message };
  if (!(error instanceof Error)) return { thrown: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  const at = error.stack?.split("\n").find((line) => line.startsWith("    at "));
  return { name: error.name, code, at: at?.trim() };
}
