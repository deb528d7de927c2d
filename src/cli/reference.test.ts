import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { exitCodeMeanings } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

const file = new URL("../../docs/cli.md", import.meta.url);

/** A part of the document that is made from the definitions of the commands. */
function replacePart(text: string, name: string, part: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end of ${name} -->)`);
  expect(text).toMatch(pattern);
  return text.replace(pattern, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}

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
  const text = readFileSync(file, "utf8");
  const expected = replacePart(replacePart(text, "commands", commands), "exit codes", table);
  await expect(expected).toMatchFileSnapshot(file.pathname);
});
