import type { Command } from "commander";
import { requireInstance } from "../../service/daemon/instance.ts";
import { act, instanceCommand } from "../command.ts";

export function addMcp(program: Command): void {
  instanceCommand(
    program,
    "mcp",
    "Serves MCP over standard input and output: MCP clients start it. Starts the daemon if it does not run.",
    { json: false },
  ).action(
    act(async ({ instance, signal }) => {
      const { serveMcp } = await import("../../service/mcp/serve-mcp.ts");
      requireInstance(instance);
      const { logTo } = await import("../../service/daemon/daemon-log.ts");
      await serveMcp(instance, { signal, log: logTo((line) => process.stderr.write(line)) });
      return undefined;
    }),
  );
}
