// `npm start`: from a fresh clone to a running example.
import { ensureInstalled, run } from "./install.mjs";

await ensureInstalled();
for (const [command, ...args] of [
  ["npm", "run", "--silent", "build"],
  ["node", "examples/ledger.ts"],
]) {
  const { code } = await run(command, args);
  if (code !== 0) process.exit(1);
}
