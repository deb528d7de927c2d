import { expect, test } from "vitest";
import { restCaller } from "../../../test/support/rest-caller.ts";
import { openRest } from "../../../test/support/rest-service.ts";
import { errorCodes } from "../../model/errors.ts";
import { renderMarkdown } from "./docs/markdown.ts";
import { renderPage } from "./docs/page.ts";
import { type OpenApiDocument, type Reference, referenceOf } from "./docs/reference.ts";
import { statusOf } from "./problem.ts";

type Schema = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>[string];

async function documentOf(): Promise<OpenApiDocument> {
  await using rest = await openRest();
  return (await restCaller(rest.app).get("/openapi.json")).body;
}

test("the document is OpenAPI 3.1 whose references lead somewhere", async () => {
  const document = await documentOf();
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Flux Memory" } });
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(references.length).toBeGreaterThan(50);
  for (const path of references) {
    const found = path.split("/").reduce((part: unknown, name) => Object(part)[name], document);
    expect([path, typeof found]).toEqual([path, "object"]);
  }
});

test("every route is in it, with an id and a summary of its own, what it takes and what can go wrong", async () => {
  await using rest = await openRest();
  const { paths = {} } = await documentOf();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const routes = rest.app.routes
    .filter(({ method, path }) => method !== "ALL" && !["/", "/docs", "/openapi.json"].includes(path))
    .map(({ method, path }) => `${method} ${path.replace(":id", "{id}")}`);
  expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    [...new Set(routes)].sort(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, method, summary, tags, parameters = [], responses } of operations) {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(tags).toHaveLength(1);
    expect(responses.default?.content).toHaveProperty(["application/problem+json"]);
    if (method !== "get" && path !== "/retrieve")
      expect(parameters).toContainEqual({ $ref: "#/components/parameters/Operation" });
  }
});

test("the root leads to the page", async () => {
  await using rest = await openRest();
  const response = await rest.app.request("/");
  expect([response.status, response.headers.get("location")]).toEqual([302, "/docs"]);
});

test("every code of an error has a status", () => {
  expect(Object.keys(statusOf).sort()).toEqual(Object.keys(errorCodes).sort());
});

test("answers hold nothing that the document does not tell of", async () => {
  await using rest = await openRest();
  const document = await documentOf();
  const { call } = restCaller(rest.app);
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await call(method, path, body);
    const template = path.replace(/\?.*/, "").replace(/^(\/grains\/)[^/]+/, "$1{id}");
    const { responses = {} } = document.paths?.[template]?.[method.toLowerCase()] ?? {};
    const [told] = Object.values((responses[status] ?? responses.default)?.content ?? {});
    expect([path, undocumented(answer, told?.schema as Schema, document)]).toEqual([path, []]);
    return answer;
  };
  const item = { importance: 1, pinned: true, metadata: { a: 1 }, session_id: "s", expires_at: 9e12 };
  const { record_id } = await ask("POST", "/store", { content: "tea", author: "A", agent_id: "a", ...item });
  const items = [{ content: "te\0a" }, { role: "user", content: "tea", session_id: "s" }];
  await ask("POST", "/store/batch", { items });
  const { trace_id, grains } = await ask("POST", "/retrieve", { query: "tea", max_tokens: 50 });
  await ask("GET", "/pending_feedback");
  const feedback = { trace_id, grain_id: grains[0].id, useful: true };
  await ask("POST", "/feedback", feedback);
  await ask("POST", "/feedback/batch", { items: [feedback] });
  await ask("GET", "/grains?limit=1");
  await ask("GET", `/grains/${record_id}`);
  await ask("PATCH", `/grains/${record_id}`, { pinned: false });
  await ask("POST", `/grains/${record_id}/archive`);
  await ask("POST", `/grains/${record_id}/undo`);
  await ask("DELETE", `/grains/${record_id}`);
  await ask("POST", `/grains/${record_id}/undo`);
  await ask("POST", "/erase", { id: record_id });
  await ask("POST", "/erase", { everything: true });
  await ask("GET", "/grains/none");
  await ask("GET", "/grains?limit=none");
  await ask("GET", "/health");
  await ask("GET", "/onboard");
  await ask("GET", "/status");
});

test("what a document says is shown, never run", async () => {
  const hostile = "<script>alert(1)</script>`<b>`|\"'&";
  const reference: Reference = referenceOf({
    info: { title: hostile, description: hostile },
    tags: [{ name: hostile }],
    paths: {
      "/x": {
        get: { operationId: "x", tags: [hostile], summary: hostile, description: hostile, responses: {} },
      },
    },
    components: { schemas: { X: { description: hostile, properties: { [hostile]: { enum: [hostile] } } } } },
  });
  const page = await renderPage(reference);
  expect(page).not.toContain("<script");
  expect(page).not.toContain("<b>`");
  expect(page).toContain("&lt;script&gt;");
  expect(renderMarkdown(reference)).toContain("\\|");
});

/** Where an answer has properties that its schema does not have. */
function undocumented(value: unknown, schema: Schema, document: OpenApiDocument, path = ""): string[] {
  const { $ref = "", properties } = schema;
  const named = document.components?.schemas?.[$ref.replace("#/components/schemas/", "")];
  if (named !== undefined) return undocumented(value, named, document, path);
  const options = schema.anyOf ?? schema.allOf;
  if (options !== undefined) {
    const all = options.map((option) => undocumented(value, option, document, path));
    return all.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(value))
    return value.flatMap((item, i) => undocumented(item, schema.items ?? {}, document, `${path}[${i}]`));
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    const place = `${path}.${name}`;
    return property === undefined ? [place] : undocumented(item, property, document, place);
  });
}
