// `npm test`: everything that must hold before a commit lands. With arguments, only vitest with these arguments.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { ensureInstalled, root, run } from "./install.mjs";

const args = process.argv.slice(2);
await ensureInstalled();
const parts = args.length > 0 ? [vitest] : [check, vitest, examples];
const results = [];
for (const part of parts) results.push(await part());

const sum = (key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);
const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function vitest() {
  const folder = mkdtempSync(join(tmpdir(), "flux-test-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await run("vitest", ["run", ...reporters, ...args]);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  rmSync(folder, { recursive: true });
  return {
    passed: numPassedTests,
    // Also when no test failed but a file did not load, the set-up broke or a promise was rejected unseen.
    failed: Math.max(numFailedTests, code === 0 ? 0 : 1),
    skipped: numPendingTests + numTodoTests,
  };
}

/** Each example runs as a user would run it, against the built package. */
async function examples() {
  const folder = join(root, "examples");
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".ts")) : [];
  let failed = 0;
  for (const file of files) {
    const options = { stdio: ["ignore", "pipe", "pipe"], timeout: 300_000 };
    const { code, output } = await run("node", [join("examples", file)], options);
    console.log(code === 0 ? `✓ examples/${file}` : `✗ examples/${file} ended with ${code}\n${output}`);
    if (code !== 0) failed++;
  }
  return { passed: files.length - failed, failed };
}
