import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import type { OperatingMode } from "../../service/config-keys.ts";
import { programName } from "../../service/daemon/program-name.ts";
import { act, instanceCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { mcpSnippets } from "../mcp-snippets.ts";

const modes = ["caller_extracts", "flux_extracts"] as const satisfies readonly OperatingMode[];

export function addInit(program: Command): void {
  const mode = new Option(
    "--mode <mode>",
    "who makes facts of what is stored; asked for in a terminal, elsewhere flux_extracts",
  );
  instanceCommand(
    program,
    "init",
    "Makes an instance: its folder, a configuration with comments, and snippets for MCP clients. Keeps what is there.",
  )
    .addOption(mode.choices(modes))
    .action(
      act<{ readonly mode?: OperatingMode }>(
        async ({ instance, output }, options): Promise<ExitCode | undefined> => {
          const { createInstance } = await import("../../service/daemon/create-instance.ts");
          const { readConfig } = await import("../../service/daemon/config-file.ts");
          const { writeSnippets } = await import("../write-snippets.ts");
          const { name, folder, configFile } = instance;
          const ask = options.mode === undefined && !output.json && !existsSync(configFile);
          const mode = ask ? await askForMode(name) : (options.mode ?? defaultMode);
          if (mode === undefined) return exitCodes.interrupted;
          const created = createInstance(instance, { mode }) ? [configFile] : [];
          const snippets = Object.values(mcpSnippets(instance));
          created.push(...writeSnippets(instance, snippets, { replace: false }));
          const kept = [configFile, ...snippets.map(({ file }) => file)].filter(
            (file) => !created.includes(file),
          );
          // Of what was kept it need not be the one that was asked for.
          const { OPERATING_MODE } = readConfig(instance);
          const lines = [
            `${name}: ${folder}`,
            `mode: ${OPERATING_MODE}`,
            ...created.map((file) => `made ${file}`),
            ...kept.map((file) => `kept ${file}`),
            `Next: ${programName()} start --name ${name}`,
          ];
          output.print({ name, folder, mode: OPERATING_MODE, created, kept }, lines.join("\n"));
          return undefined;
        },
      ),
    );
}

/** As `new Config()` has it. */
const defaultMode = "flux_extracts";

/** Undefined when the question was refused. Without a terminal nobody could answer. */
async function askForMode(name: string): Promise<OperatingMode | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return defaultMode;
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<OperatingMode>({
    message: `Who makes single facts of what is stored in ${name}?`,
    initialValue: defaultMode,
    options: [
      {
        value: "flux_extracts",
        label: "flux_extracts",
        hint: "rules, and a language model where one answers, in the background",
      },
      { value: "caller_extracts", label: "caller_extracts", hint: "the agents that store it" },
    ],
  });
  return isCancel(answer) ? undefined : answer;
}
