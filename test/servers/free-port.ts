import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 that nothing listens on, below those that systems give to connections: whoever stops listening there
 * finds it free again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch (error) {
      // Taken, or, on Windows, reserved.
      if (/^(EADDRINUSE|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? "")) continue;
      throw error;
    }
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
