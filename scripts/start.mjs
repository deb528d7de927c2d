// `npm start`: from a fresh clone to a service that has something to tell. `npm stop` ends it.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root, run } from "./install.mjs";

const bin = join(root, "dist/cli/bin.js");
/** Written last, so that a build that was interrupted or failed has none. */
const built = join(root, "dist/.built");

await ensureInstalled();
if (!isBuilt()) {
  // A service loads some of its modules when it needs them: it must not outlive them.
  if (existsSync(bin)) await run("node", [bin, "stop", "--name", "demo"], { stdio: "ignore" });
  console.log("Building");
  await orExit("npm", ["run", "--silent", "build"]);
  writeFileSync(built, "");
}
await orExit("node", ["scripts/demo/demo.ts"]);

async function orExit(command, args) {
  const { code } = await run(command, args);
  if (code !== 0) process.exit(1);
}

/** Whether nothing has changed since the last build. */
function isBuilt() {
  if (!existsSync(built)) return false;
  const sources = readdirSync(join(root, "src"), { recursive: true }).map((path) => join("src", path));
  const changed = [...sources, "package.json", "tsconfig.json", "tsconfig.build.json"].map(
    (path) => statSync(join(root, path)).mtimeMs,
  );
  return Math.max(...changed) <= statSync(built).mtimeMs;
}
