import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = new URL("../", import.meta.url);

/** What threads and processes of tests load, with all that it imports. */
const modules = [
  "src/store/sqlite/worker.ts",
  "src/store/contract/plans.ts",
  "src/store/contract/tasks.ts",
  "src/cli/main.ts",
  "src/cli/doctor/check-memory.ts",
  "src/service/daemon/daemon-process.ts",
  "src/service/daemon/stop-daemon.ts",
  "test/postgres/worker-process.ts",
  "test/support/dying-writer.ts",
  "test/support/sqlite-plans.ts",
  "test/support/sqlite-store.ts",
];

/**
 * Threads and processes of tests find their modules compiled, in a cache that is filled before. Otherwise each would run the
 * type stripper of Node, which is WebAssembly: that takes more than half of the time in which they start, and threads that
 * did it crashed the process, see docs/decisions/0012.
 */
export async function setup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL("node_modules/.cache/compiled", root));
  const urls = modules.map((module) => new URL(module, root).href);
  // Scripts fail here, where they are not told what to do, once all that they import was loaded.
  const program = `for (const url of ${JSON.stringify(urls)}) await import(url).catch(() => undefined); process.exit();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
}
