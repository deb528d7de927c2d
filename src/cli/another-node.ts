// Runs on Node 18 too.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FluxError } from "../model/errors.ts";
import { isSupported } from "../model/node-version.ts";

/**
 * Runs the same on the Node that is installed as the package `node` beside this one, if it is; else says what is wrong.
 *
 * @returns how the process should end
 */
export function runOnAnotherNode(
  args: readonly string[],
  { code, message, hint }: FluxError,
): Promise<number> {
  const node = installedNode();
  if (node === undefined) {
    process.stderr.write(`error [${code}]: ${message}\nhint: ${hint}\n`);
    return Promise.resolve(1);
  }
  const child = spawn(node, args, { stdio: "inherit" });
  // A terminal sends signals to both; a service manager to this process only.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** Undefined when the package is not there, or cannot be used. */
function installedNode(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve("node/package.json");
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    const program = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
    return isSupported(version) && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
