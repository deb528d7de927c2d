// Runs on the Node that is there, before anything is installed: no dependencies, nothing newer than Node 20.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

// The package `node` in devDependencies puts the Node that this project runs on in front of the one that is there.
const env = { ...process.env, PATH: join(root, "node_modules/.bin") + delimiter + process.env.PATH };

/** Runs a program in the root of the repository and resolves to its exit code and, with `stdio: "pipe"`, its output. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: "inherit", ...options });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

/** Runs `npm ci` unless node_modules is what package-lock.json says. */
export async function ensureInstalled() {
  if (installedIsLocked()) return;
  console.log("Installing dependencies (npm ci)");
  // No warnings: on Node 20, where this runs, there is one for each package that wants the newer Node that is being installed.
  const { code } = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0) process.exit(1);
}

function installedIsLocked() {
  const packages = (file) => JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  let installed;
  try {
    // npm writes this copy of the lock last, so an interrupted install has none.
    installed = packages("node_modules/.package-lock.json");
  } catch {
    return false;
  }
  const locked = Object.entries(packages("package-lock.json")).filter(([path]) => path !== "");
  const same = (path, entry) => installed[path]?.version === entry.version;
  return locked.every(([path, entry]) => same(path, entry) || (entry.optional && !installed[path]));
}
