import { dirname, join } from "node:path";
import { fluxHome, type Instance, mcpServerName } from "../service/daemon/instance.ts";

export interface Snippet {
  /** What a user calls the program. */
  readonly title: string;
  /** Where the snippet belongs. */
  readonly place: string;
  /** A copy of it in the folder of the instance. */
  readonly file: string;
  readonly text: string;
}

export const mcpClients = ["claude-desktop", "claude-code", "cursor", "codex", "vscode"] as const;

export type McpClient = (typeof mcpClients)[number];

/** How a client starts the server; it speaks with it by standard input and output. */
interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What the configuration of an MCP client needs to start the server of an instance. */
export function mcpSnippets(
  instance: Instance,
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<McpClient, Snippet>> {
  const server = mcpServerName(instance);
  const npx = ["npx", "-y", "flux-memory", "mcp", "--name", instance.name];
  // There npx is a script, which only the shell can start.
  const [command = "", ...args] = platform === "win32" ? ["cmd", "/c", ...npx] : npx;
  const home = dirname(instance.folder);
  // A client does not have the environment of this terminal.
  const env = home === fluxHome({}) ? {} : { env: { FLUX_HOME: home } };
  const launch: Launch = { command, args, ...env };
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  const servers = json({ mcpServers: { [server]: launch } });
  const file = (name: string): string => join(instance.integrationsFolder, name);
  return {
    "claude-desktop": {
      title: "Claude Desktop",
      place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
      file: file("claude_desktop.json"),
      text: servers,
    },
    "claude-code": {
      title: "Claude Code",
      place: ".mcp.json in the project",
      file: file("claude_code.json"),
      text: json({ mcpServers: { [server]: { type: "stdio", ...launch } } }),
    },
    cursor: {
      title: "Cursor",
      place: "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
      file: file("cursor.json"),
      text: servers,
    },
    codex: {
      title: "Codex",
      place: "~/.codex/config.toml",
      file: file("codex.toml"),
      text: toml(server, launch),
    },
    vscode: {
      title: "VS Code",
      place: ".vscode/mcp.json in the project",
      file: file("vscode.json"),
      text: json({ servers: { [server]: { type: "stdio", ...launch } } }),
    },
  };
}

function toml(server: string, { command, args, env = {} }: Launch): string {
  const lines = [
    `[mcp_servers.${quote(server)}]`,
    `command = ${quote(command)}`,
    `args = [${args.map(quote).join(", ")}]`,
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${quote(value)}`);
  if (variables.length > 0) lines.push(`env = { ${variables.join(", ")} }`);
  return `${lines.join("\n")}\n`;
}

/** A basic string of TOML has the escapes of JSON, and none of its control characters bare. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
