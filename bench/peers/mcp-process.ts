import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** An MCP server as its users run it: a process that is spoken to over stdio. */
export class McpProcess {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /**
   * @param args of Node
   * @param env the server's environment, beside what every process has
   */
  static async start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<McpProcess> {
    const client = new Client({ name: "flux-memory-bench", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...args],
        env: { ...env },
        stderr: "ignore",
      }),
    );
    return new McpProcess(client);
  }

  /** @throws when the tool answers with an error */
  async call<T>(name: string, input: Record<string, unknown>): Promise<T> {
    const result = await this.#client.callTool({ name, arguments: input });
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent as T;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
