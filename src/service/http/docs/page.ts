import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Content, Field, Operation, Reference, SchemaText } from "./reference.ts";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { padding: 0.5rem; overflow-x: auto; border: 1px solid #8884; }
summary { cursor: pointer; padding: 0.25rem 0; }
summary b { display: inline-block; min-width: 4.5em; }
details { border-bottom: 1px solid #8884; }
details > div { padding: 0 0 1rem 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; border-top: 1px solid #8884; overflow-wrap: break-word; }
`;

/** What the page may do: be shown, with this style. */
export const pagePolicy = `default-src 'none'; img-src data:; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Html = ReturnType<typeof html>;

/** The reference as one page, without scripts and without anything from elsewhere. */
export async function renderPage(reference: Reference): Promise<string> {
  const { title, description, headers, groups, schemas } = reference;
  const names = new Set(schemas.map(({ name }) => name));
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs(description)}
<p>The same as an OpenAPI document: <a href="/openapi.json">openapi.json</a>.</p>
<h2>Headers</h2>
${fieldsHtml(headers, names)}
${groups.map((group) => html`<h2>${group.name}</h2>${group.operations.map((operation) => operationHtml(operation, names))}`)}
<h2>Schemas</h2>
${schemas.map((schema) => schemaHtml(schema, names))}
</main>
</body>
</html>
`;
  return page.toString();
}

function operationHtml(operation: Operation, names: ReadonlySet<string>): Html {
  const { id, method, path, summary, description, parameters, headers, body, answer } = operation;
  return html`<details id="${id}">
<summary><b>${method}</b> <code>${path}</code> ${summary}</summary>
<div>
${description === undefined ? "" : paragraphs(description)}
${parameters.length === 0 ? "" : fieldsHtml(parameters, names)}
${body === undefined ? "" : html`<p>Body: ${contentHtml(body, names)}</p>${exampleHtml(operation, body)}`}
<p>Answer: ${contentHtml(answer, names)} ${text(answer.description ?? "")}</p>
${headers.length === 0 ? "" : html`<p>Headers: ${headers.join(", ")}.</p>`}
</div>
</details>
`;
}

function contentHtml({ mediaType, type }: Content, names: ReadonlySet<string>): Html {
  return html`<code>${mediaType}</code>, ${typeHtml(type, names)}.`;
}

function exampleHtml({ method, path }: Operation, { example }: Content): Html | string {
  return example === undefined ? "" : html`<pre>${method} ${path}\n\n${example}</pre>`;
}

function schemaHtml({ name, description, fields, type }: SchemaText, names: ReadonlySet<string>): Html {
  return html`<h3 id="schema-${name}">${name}</h3>
${description === undefined ? "" : paragraphs(description)}
${type === undefined ? fieldsHtml(fields, names) : html`<p>${typeHtml(type, names)}</p>`}
`;
}

function fieldsHtml(fields: readonly Field[], names: ReadonlySet<string>): Html {
  return html`<table>
<tr><th>Name</th><th>Type</th><th>Meaning</th></tr>
${fields.map(
  ({ name, type, required, description }) =>
    html`<tr><td><code>${name}</code>${required ? "" : " (optional)"}</td><td>${typeHtml(type, names)}</td><td>${text(description)}</td></tr>
`,
)}</table>`;
}

/** A type, with the names of schemas as links. */
function typeHtml(type: string, names: ReadonlySet<string>): Html {
  const parts = type.split(/(\w+)/);
  return html`<code>${parts.map((part) => (names.has(part) ? html`<a href="#schema-${part}">${part}</a>` : part))}</code>`;
}

function paragraphs(markdown: string): Html {
  return html`${markdown.split("\n\n").map((part) => html`<p>${text(part)}</p>\n`)}`;
}

/** Of Markdown, code is all that descriptions use. */
function text(markdown: string): Html {
  const parts = markdown.split("`");
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
