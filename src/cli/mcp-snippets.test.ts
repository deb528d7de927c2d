import { join } from "node:path";
import { expect, test } from "vitest";
import { fluxHome, instanceNamed } from "../service/daemon/instance.ts";
import { mcpClients, mcpSnippets } from "./mcp-snippets.ts";

const instance = instanceNamed("my-memory", fluxHome({}));

test("Codex reads TOML", () => {
  const { codex } = mcpSnippets(instance, "linux");
  expect(codex.file).toBe(join(instance.integrationsFolder, "codex.toml"));
  expect(codex.text).toBe(
    `[mcp_servers."flux-my-memory"]
command = "npx"
args = ["-y", "flux-memory", "mcp", "--name", "my-memory"]
`,
  );
});

test("the others read JSON, under names of their own", () => {
  const snippets = mcpSnippets(instance, "linux");
  const launch = { command: "npx", args: ["-y", "flux-memory", "mcp", "--name", "my-memory"] };
  const parsed = (client: (typeof mcpClients)[number]) => JSON.parse(snippets[client].text);
  expect(parsed("claude-desktop")).toEqual({ mcpServers: { "flux-my-memory": launch } });
  expect(parsed("cursor")).toEqual({ mcpServers: { "flux-my-memory": launch } });
  expect(parsed("claude-code")).toEqual({ mcpServers: { "flux-my-memory": { type: "stdio", ...launch } } });
  expect(parsed("vscode")).toEqual({ servers: { "flux-my-memory": { type: "stdio", ...launch } } });
});

test("a folder of the user's own is told to the server, whatever is in its path", () => {
  const home = '/tmp/a "b" \\ ü 名\t\u007f';
  const { cursor, codex } = mcpSnippets(instanceNamed("my-memory", home), "linux");
  expect(JSON.parse(cursor.text).mcpServers["flux-my-memory"].env).toEqual({ FLUX_HOME: home });
  expect(codex.text).toContain(String.raw`env = { FLUX_HOME = "/tmp/a \"b\" \\ ü 名\t\u007f" }`);
});

test("on Windows the shell starts npx, which is a script there", () => {
  for (const client of mcpClients) {
    const { text } = mcpSnippets(instance, "win32")[client];
    expect(text).toMatch(/"?command"?\s*[:=] "cmd"/);
    expect(text.replace(/\s/g, "")).toContain('["/c","npx","-y","flux-memory","mcp","--name","my-memory"]');
  }
});
