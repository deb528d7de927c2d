// `npm start`: from a fresh clone to running examples.
import { ensureInstalled, run } from "./install.mjs";

await ensureInstalled();
for (const [command, ...args] of [
  ["npm", "run", "--silent", "build"],
  ["node", "examples/quickstart.ts"],
  ["node", "examples/ledger.ts"],
]) {
  const { code } = await run(command, args);
  if (code !== 0) process.exit(1);
}
