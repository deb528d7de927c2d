import { type Command, Option } from "commander";
import { mcpServerName } from "../../service/daemon/instance.ts";
import { act, instanceCommand } from "../command.ts";
import { type McpClient, mcpClients, mcpSnippets } from "../mcp-snippets.ts";

export function addMcpConfig(program: Command): void {
  instanceCommand(
    program,
    "mcp-config",
    "Prints what MCP clients need to start the server of an instance, and writes it to integrations/ in its folder.",
  )
    .addOption(new Option("--client <client>", "only the snippet of this client").choices(mcpClients))
    .action(
      act<{ readonly client?: McpClient }>(async ({ instance, output }, { client }) => {
        const { readConfig } = await import("../../service/daemon/config-file.ts");
        const { writeSnippets } = await import("../write-snippets.ts");
        readConfig(instance);
        const all = mcpSnippets(instance);
        const wanted = client === undefined ? mcpClients : [client];
        writeSnippets(
          instance,
          wanted.map((name) => all[name]),
          { replace: true },
        );
        const shown = wanted.map((name) => {
          const { title, place, file, text } = all[name];
          return `${title}: ${place}\n(${file})\n\n${text}`;
        });
        const snippets = wanted.map((name) => ({ client: name, ...all[name] }));
        output.print({ server: mcpServerName(instance), snippets }, shown.join("\n").trimEnd());
        return undefined;
      }),
    );
}
