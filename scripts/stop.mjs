// `npm stop`: ends the service that `npm start` has started. What it remembers stays.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./install.mjs";

const bin = join(root, "dist/cli/bin.js");
if (existsSync(bin)) process.exitCode = (await run("node", [bin, "stop", "--name", "demo"])).code;
else console.log("Nothing was built, so nothing runs");
