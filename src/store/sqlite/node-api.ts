import { FluxError } from "../../model/errors.ts";

/** The version of Node-API that better-sqlite3 13 is built for, of Node 22.14. Older ones end the process with SIGSEGV. */
const needed = 10;

/** @throws FluxError `missing_package` when this Node cannot run the native library */
export function checkNodeApi(version: string | undefined = process.versions.napi): void {
  if (version === undefined || Number(version) >= needed) return;
  throw new FluxError("missing_package", "better-sqlite3 does not run on this version of Node", {
    hint: "Use Node 22.14 or newer.",
  });
}
