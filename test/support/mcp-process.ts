import { Client, type VersionNegotiationOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type FluxCli, fluxProgram } from "./flux-cli.ts";
import { callTool, type ToolAnswer } from "./tool-answer.ts";

/** `flux mcp` of an instance as a process of its own, with the official client at its pipes. */
export class McpProcess implements AsyncDisposable {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** Its standard error. */
  log = "";

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
    transport.stderr?.on("data", (text: Buffer) => {
      this.log += text;
    });
  }

  static async start(
    flux: FluxCli,
    name: string,
    {
      client = "codex",
      mode = "legacy",
    }: { readonly client?: string; readonly mode?: VersionNegotiationOptions["mode"] } = {},
  ): Promise<McpProcess> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fluxProgram, "mcp", "--name", name],
      env: Object.fromEntries(Object.entries(flux.env).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      stderr: "pipe",
    });
    const started = new McpProcess(
      new Client({ name: client, version: "1" }, { versionNegotiation: { mode } }),
      transport,
    );
    await started.client.connect(transport);
    return started;
  }

  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer> {
    return callTool(this.client, name, args);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
