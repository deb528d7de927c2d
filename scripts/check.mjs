// Everything that is checked without running the code: `npm run check`, and the first part of `npm test`.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, run } from "./install.mjs";

const checks = {
  lint: () => tool("biome", "check", "--error-on-warnings", "--diagnostic-level=warn"),
  types: () => tool("tsc", "--noEmit"),
  "dead code": () => tool("knip"),
  layers: () => tool("node", "scripts/layers.ts"),
  packaging: checkPackaging,
};

/** Runs all checks at once, prints how each went, and resolves to the number that passed and failed. */
export async function check() {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, problems]) => {
      const started = performance.now();
      const found = await problems();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        found === "" ? `✓ ${name} (${seconds} s)` : `✗ ${name} (${seconds} s)\n${found.trimEnd()}\n`,
      );
      return found === "";
    }),
  );
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}

/** The output of a program that failed, nothing of one that passed. */
async function tool(command, ...args) {
  const { code, output } = await run(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  return code === 0 ? "" : `${output}\n${[command, ...args].join(" ")} ended with ${code}`;
}

/** Builds the package as npm would publish it and looks at the result the way its users' tools do. */
async function checkPackaging() {
  const folder = mkdtempSync(join(tmpdir(), "flux-pack-"));
  try {
    const problems = await tool("npm", "pack", "--silent", "--pack-destination", folder);
    if (problems !== "") return problems;
    const tarball = join(folder, readdirSync(folder)[0]);
    const found = await Promise.all([
      tool("publint", "--strict", tarball),
      tool("attw", tarball, "--profile", "esm-only", "--no-emoji"),
    ]);
    return found.join("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureInstalled();
  const { failed } = await check();
  process.exitCode = failed === 0 ? 0 : 1;
}
