// Writes the reference of docs/rest.md, which follows from the OpenAPI document: `node scripts/rest-reference.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../src/service/http/app.ts";
import { renderMarkdown } from "../src/service/http/docs/markdown.ts";
import { referenceOf } from "../src/service/http/docs/reference.ts";
import { openApiDocument } from "../src/service/http/docs-routes.ts";
import type { HttpService } from "../src/service/http/request.ts";

const file = join(import.meta.dirname, "../docs/rest.md");
const heading = "\n## Reference\n";

/** docs/rest.md as it is, and as it should be. */
export function restDocs(): { readonly present: string; readonly wanted: string } {
  const present = readFileSync(file, "utf8");
  const [introduction = ""] = present.split(heading);
  // Nothing of it is called.
  const app = createApp({} as HttpService);
  const reference = renderMarkdown(referenceOf(openApiDocument(app)));
  return { present, wanted: `${introduction}${heading}\n${reference}\n` };
}

if (import.meta.main) writeFileSync(file, restDocs().wanted);
