import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A package of its own: who does not compare need not install what is compared. */
const folder = join(import.meta.dirname, "packages");
const fromThere = createRequire(join(folder, "package.json"));

/** Installs the peers as their lock says, unless they are there. Nothing of them runs meanwhile. */
export async function installPeers(): Promise<void> {
  const marker = join(folder, "node_modules/.package-lock.json");
  if (existsSync(marker)) return;
  console.info("Installing the peers (npm ci in bench/peers/packages)");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", args, { cwd: folder, stdio: "inherit" });
  const [code] = await once(npm, "close");
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code} in ${folder}`);
}

export async function importPeer<T>(specifier: string): Promise<T> {
  return (await import(pathToFileURL(fromThere.resolve(specifier)).href)) as T;
}

export function peerFile(path: string): string {
  return join(folder, "node_modules", path);
}

export function peerVersion(name: string): string {
  return (JSON.parse(readFileSync(peerFile(`${name}/package.json`), "utf8")) as { version: string }).version;
}
