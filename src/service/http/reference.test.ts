import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openRest } from "../../../test/support/rest-service.ts";
import { renderMarkdown } from "./docs/markdown.ts";
import { referenceOf } from "./docs/reference.ts";
import { openApiDocument } from "./docs-routes.ts";

const file = new URL("../../../docs/rest.md", import.meta.url);

test("docs/rest.md has the reference of the routes as they are; --update writes it", async () => {
  await using rest = await openRest();
  const reference = renderMarkdown(referenceOf(openApiDocument(rest.app)));
  const text = readFileSync(file, "utf8");
  const pattern = /(<!-- reference -->\n)[\s\S]*?(<!-- end of reference -->)/;
  expect(text).toMatch(pattern);
  const expected = text.replace(
    pattern,
    (_, begin: string, end: string) => `${begin}\n${reference}\n\n${end}`,
  );
  await expect(expected).toMatchFileSnapshot(file.pathname);
});
