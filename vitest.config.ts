import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/sequencer.ts";

export default defineConfig({
  test: {
    include: ["{src,test,bench}/**/*.test.ts"],
    globalSetup: ["test/compile-cache.ts", "test/servers/global-setup.ts"],
    // Processes, not threads: tests kill, crash and change the directory of their own process.
    pool: "forks",
    // Two at least, since many tests wait for processes that they start.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Long enough for a machine that is busy with other things: they are reached by what hangs alone.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
