import type { Content, Field, Operation, Reference, SchemaText } from "./reference.ts";

/** The reference as Markdown, for docs/rest.md. */
export function renderMarkdown({ headers, groups, schemas }: Reference): string {
  const operations = groups.flatMap(({ name, operations }) => [
    `### ${name}`,
    ...operations.flatMap(operationLines),
  ]);
  return ["### Headers", table(headers), ...operations, "### Schemas", ...schemas.flatMap(schemaLines)].join(
    "\n\n",
  );
}

function operationLines(operation: Operation): string[] {
  const { method, path, summary, description, parameters, headers, body, answer } = operation;
  return [
    `#### \`${method} ${path}\``,
    [`${summary}.`, ...(description === undefined ? [] : [description])].join(" "),
    ...(parameters.length === 0 ? [] : [table(parameters)]),
    [
      ...(body === undefined ? [] : [`- Body: ${content(body)}`]),
      ...(body?.example === undefined ? [] : [`- Example: \`${body.example}\``]),
      `- Answer: ${content(answer)}${answer.description === undefined ? "" : ` ${answer.description}`}`,
      ...(headers.length === 0 ? [] : [`- Headers: ${headers.map((name) => `\`${name}\``).join(", ")}`]),
    ].join("\n"),
  ];
}

function content({ mediaType, type }: Content): string {
  return `\`${mediaType}\`, \`${type}\`.`;
}

function schemaLines({ name, description, fields, type }: SchemaText): string[] {
  return [
    `#### ${name}`,
    ...(description === undefined ? [] : [description]),
    type === undefined ? table(fields) : `\`${type}\``,
  ];
}

function table(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, required, description }) =>
      `| \`${name}\`${required ? "" : " (optional)"} | ${cell(`\`${type}\``)} | ${cell(description)} |`,
  );
  return ["| name | type | meaning |", "|---|---|---|", ...rows].join("\n");
}

/** A bar would end the cell, also inside of code. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
