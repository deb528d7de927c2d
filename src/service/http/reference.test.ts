import { test } from "vitest";
import { expectParts } from "../../../test/support/document-part.ts";
import { openRest } from "../../../test/support/rest-service.ts";
import { renderMarkdown } from "./docs/markdown.ts";
import { referenceOf } from "./docs/reference.ts";
import { openApiDocument } from "./docs-routes.ts";

const file = new URL("../../../docs/rest.md", import.meta.url);

test("docs/rest.md has the reference of the routes as they are; --update writes it", async () => {
  await using rest = await openRest();
  const reference = renderMarkdown(referenceOf(openApiDocument(rest.app)));
  await expectParts(file, { reference });
});
