import { expect, test } from "vitest";
import { misplacedImports } from "../scripts/layers.ts";

test("a folder may import from itself, from below, and packages", () => {
  const source = `
    import { a } from "./other.ts";
    import { b } from "../../model/ids.ts";
    import { c } from "zod";
    new Worker(new URL("../worker.ts", import.meta.url));`;
  expect(misplacedImports("store/sqlite/driver.ts", source)).toEqual([]);
  expect(misplacedImports("index.ts", `export * from "./agent/agent.ts";`)).toEqual([]);
});

test.each([
  `import { a } from "../recall/rank.ts";`,
  `import type { A } from "../recall/rank.ts";`,
  `export * from "../recall/rank.ts";`,
  `import "../recall/rank.ts";`,
  `await import("../recall/rank.ts");`,
  `import {\n  a,\n  b,\n} from "../recall/rank.ts";`,
  `new URL("../recall/worker.ts", import.meta.url)`,
  `import { a } from "../index.ts";`,
])("an import from above is reported: %s", (source) => {
  expect(misplacedImports("store/table.ts", source)).toHaveLength(1);
});

test("a folder that has no layer is reported", () => {
  expect(misplacedImports("utils/a.ts", "")).toEqual([expect.stringContaining("not among the layers")]);
});
