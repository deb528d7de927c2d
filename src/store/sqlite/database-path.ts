import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";

/**
 * The absolute path of a database file. `~/` is the home folder.
 *
 * @param folder where relative paths begin. Default: the current folder
 * @throws FluxTypeError or FluxError `invalid_argument`
 */
export function databasePath(path: unknown, folder = ""): string {
  if (typeof path !== "string")
    throw new FluxTypeError("invalid_argument", `path must be a string, not ${describe(path)}`);
  if (path === "" || path.includes("\0"))
    throw new FluxError("invalid_argument", "path must not be empty, and must not contain NUL");
  // The driver trims its file names: another file than the named one would be opened.
  if (path !== path.trim())
    throw new FluxError("invalid_argument", "path must not begin or end with white space");
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
}
