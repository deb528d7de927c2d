import { test } from "vitest";
import type * as z from "zod";
import { expectParts } from "../../../test/support/document-part.ts";
import type { ToolName } from "../onboarding.ts";
import { jsonSchemaOf } from "./mcp-server.ts";
import { describeTool, type Tool, tools } from "./tools.ts";

const file = new URL("../../../docs/mcp.md", import.meta.url);

interface Property {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly $ref?: string;
}

function propertiesOf(schema: z.ZodType): [string, Property, boolean][] {
  const { properties = {}, required = [] } = jsonSchemaOf(schema) as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => [name, property, required.includes(name)]);
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** What every tool takes is told once. */
const common = new Set(Object.keys(tools.flux_health.input.shape));

const rows = (properties: readonly [string, Property, boolean][]): string[] =>
  properties.map(([name, { description = "", enum: values }, required]) => {
    const known = values === undefined ? "" : ` One of ${values.map((value) => `\`${value}\``).join(", ")}.`;
    return `| \`${name}\` | ${required ? "yes" : ""} | ${cell(description + known)} |`;
  });

function section(name: string, { input, output, annotations }: Tool): string {
  const own = propertiesOf(input).filter(([argument]) => !common.has(argument));
  const hints = [
    annotations.readOnlyHint ? "reads" : "writes",
    ...(annotations.idempotentHint ? ["idempotent"] : []),
  ];
  const answer = propertiesOf(output).map(
    ([property, , required]) => `\`${property}\`${required ? "" : "?"}`,
  );
  const table =
    own.length === 0 ? [] : ["", "| argument | required | |", "| --- | --- | --- |", ...rows(own)];
  return [
    `### ${name}`,
    "",
    `${describeTool(name as ToolName)} (${hints.join(", ")})`,
    ...table,
    "",
    `Answers with ${answer.join(", ")}.`,
  ].join("\n");
}

test("docs/mcp.md has every tool with its arguments; --update writes them", async () => {
  const shared = [
    "Every tool takes:",
    "",
    "| argument | required | |",
    "| --- | --- | --- |",
    ...rows(propertiesOf(tools.flux_health.input)),
  ].join("\n");
  const sections = Object.entries(tools).map(([name, tool]) => section(name, tool));
  await expectParts(file, { tools: [shared, ...sections].join("\n\n") });
});
