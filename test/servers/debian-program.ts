import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canInstall, install } from "./apt.ts";

/**
 * The path of a program that a test needs, which is in the Debian package of the same name. Installs it where it is missing.
 *
 * @throws when it is missing and cannot be installed
 */
export async function debianProgram(name: string): Promise<string> {
  const found = find(name);
  if (found !== undefined) return found;
  let failure: unknown;
  if (canInstall()) {
    console.info(`${name} is missing: installing Debian's package`);
    failure = await install(name).catch((error) => error);
  }
  const installed = find(name);
  if (installed !== undefined) return installed;
  throw new Error(`The tests need the program ${name}. Install it (apt-get install ${name}).`, {
    cause: failure,
  });
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}
