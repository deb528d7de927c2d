import { parameters } from "../wire/parameters.ts";
import type { RestApp } from "./app.ts";
import { pagePolicy, renderPage } from "./docs/page.ts";
import { type OpenApiDocument, referenceOf } from "./docs/reference.ts";

/** `GET /openapi.json` and `GET /docs`, made when they are first asked for; the root leads to the latter. */
export function addDocs(app: RestApp): void {
  for (const [name, parameter] of Object.entries(parameters))
    app.openAPIRegistry.registerComponent("parameters", name, parameter);
  let document: OpenApiDocument | undefined;
  let page: Promise<string> | undefined;
  const documentOnce = (): OpenApiDocument => {
    document ??= openApiDocument(app);
    return document;
  };
  app.get("/", (c) => c.redirect("/docs"));
  app.get("/openapi.json", (c) => c.json(documentOnce()));
  app.get("/docs", async (c) => {
    page ??= renderPage(referenceOf(documentOnce()));
    c.header("content-security-policy", pagePolicy);
    return c.html(await page);
  });
}

/** The OpenAPI 3.1 document of the routes that were added to an app. */
export function openApiDocument(app: RestApp): OpenApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Flux Memory", version: "1", description },
    servers: [
      { url: "/", description: "The memory of the user that `X-Flux-User` names." },
      {
        url: "/users/{user_id}",
        description: "The memory of one user.",
        variables: { user_id: { default: "alice", description: "Percent-encoded." } },
      },
    ],
    tags: ["Store", "Retrieve", "Grains", "Transfer", "Events", "Service"].map((name) => ({ name })),
  });
  // Its types allow for references and extensions in places where there are none.
  return document as object as OpenApiDocument;
}

const description = `The memory of this machine's agents, over HTTP and on the loopback interface only. Names are in snake_case; times are milliseconds since 1970-01-01T00:00:00Z; what is not known is refused.

Whose memory a request is about is said by \`X-Flux-User\`, or by a path that begins with \`/users/{user_id}\`; without either it is that of the anonymous user. Who calls is said by \`X-Flux-Client\` and \`X-Flux-Role\`. Headers are percent-encoded UTF-8.

Errors are problem details (RFC 9457): \`code\` is stable, and \`retryable\` says whether the same request may succeed later.`;
