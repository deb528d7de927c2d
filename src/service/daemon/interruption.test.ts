import { expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";

test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "the first %s is told of, the second one ends the process",
  async (signal) => {
    const child = new Child(`
      const { interruption } = await import(${JSON.stringify(import.meta.resolve("./interruption.ts"))});
      const signal = interruption();
      signal.addEventListener("abort", () => tell(signal.reason.name));
      process.stdin.resume();
      tell("ready");`);
    expect(await child.next()).toBe("ready");
    child.kill(signal);
    expect(await child.next()).toBe("AbortError");
    child.kill(signal);
    expect(await child.exit()).toBe(signal);
  },
);
