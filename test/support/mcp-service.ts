import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { createMcpServer } from "../../src/service/mcp/mcp-server.ts";
import type { ToolService } from "../../src/service/mcp/tools.ts";
import { runService } from "./run-service.ts";
import { callTool } from "./tool-answer.ts";

/** A service in this process behind an MCP server, with the official client before it, which checks every answer. */
export async function serveMcpInProcess({
  config = {},
  clientName = "tester",
  use,
}: {
  readonly config?: ConfigOptions;
  readonly clientName?: string;
  /** Puts something in the place of the service. */
  readonly use?: (service: ToolService) => ToolService;
} = {}) {
  const running = await runService(config);
  const { service } = running;
  const errors: unknown[] = [];
  const server = createMcpServer({
    ...{ name: "flux-test", version: "1.2.3" },
    use: (call) => call(use?.(service) ?? service),
    onError: (error) => errors.push(error),
  });
  const client = new Client({ name: clientName, version: "1" });
  const [a, b] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(a), client.connect(b)]);
  // From here on the client checks answers against their schemas.
  await client.listTools();
  const call = (name: string, args?: Record<string, unknown>) => callTool(client, name, args);
  return {
    ...{ client, call, errors, service },
    async [Symbol.asyncDispose]() {
      await client.close();
      await running[Symbol.asyncDispose]();
    },
  };
}
