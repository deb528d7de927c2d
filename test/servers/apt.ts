/** Debian's packages, for what tests need and a machine lacks. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = "/usr/bin/apt-get";

/** Whether this process may install packages: as root on Debian or a relative of it. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync(program);
}

/** Runs apt-get in the folder, without questions, and waits for another that runs. */
export async function aptGet(args: readonly string[], cwd = "/"): Promise<string> {
  const { stdout } = await run(program, ["-y", "-q", "-o", "DPkg::Lock::Timeout=300", ...args], {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** Installs packages, without those that they only recommend. */
export async function install(...packages: string[]): Promise<void> {
  await updateLists();
  await aptGet(["install", "--no-install-recommends", ...packages]);
}

/** Puts a package's file, `NAME_VERSION_ARCH.deb`, into the folder and installs nothing. */
export async function download(name: string, folder: string): Promise<void> {
  try {
    await aptGet(["download", name], folder);
  } catch {
    // The lists can be missing or older than what the mirror still has.
    await updateLists();
    await aptGet(["download", name], folder);
  }
}

async function updateLists(): Promise<void> {
  // Can fail for a source that has nothing to do with this: what is done with the lists tells whether that matters.
  await aptGet(["update"]).catch(() => undefined);
}
