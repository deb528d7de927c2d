import type { Command } from "commander";
import { test } from "vitest";
import { expectParts } from "../../test/support/document-part.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

const file = new URL("../../docs/cli.md", import.meta.url);

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function section(command: Command): string {
  const help = command.createHelp();
  const rows = [
    ...help
      .visibleArguments(command)
      .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  ].filter(([term]) => term !== "-h, --help");
  const table = rows.map(
    ([term = "", description = ""]) => `| \`${term.replaceAll("|", "\\|")}\` | ${cell(description)} |`,
  );
  const head = `### ${command.name()}\n\n${command.description()}\n\n    ${help.commandUsage(command)}\n`;
  return [head, "| option | meaning |\n| --- | --- |", ...table].join("\n");
}

test("docs/cli.md has every command with its options, and the exit codes; --update writes them", async () => {
  const commands = createProgram("0.0.0").commands.map(section).join("\n\n");
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  const table = ["| code | meaning |", "| --- | --- |", ...codes].join("\n");
  await expectParts(file, { commands, "exit codes": table });
});
