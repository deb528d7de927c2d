import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test("a thread that loads our modules runs no type stripper, so no WebAssembly", async () => {
  const url = new URL("../src/store/sqlite/driver.ts", import.meta.url).href;
  const program = `
    const { parentPort } = require("node:worker_threads");
    const loaded = () => process.moduleLoadList.filter((name) => name.includes("amaro"));
    import(${JSON.stringify(url)}).then(() => {
      const before = loaded();
      require("node:module").stripTypeScriptTypes("let a: 1");
      parentPort.postMessage([before, loaded().length > 0]);
    });`;
  const worker = new Worker(program, { eval: true, execArgv: ["--disable-warning=ExperimentalWarning"] });
  const [[before, after]] = await once(worker, "message");
  expect(before).toEqual([]);
  // That it would have been seen.
  expect(after).toBe(true);
  await once(worker, "exit");
});
