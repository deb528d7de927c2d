import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { EraseScope } from "../../../flux/flux-memory.ts";
import { FluxError } from "../../../model/errors.ts";
import { fromWire, pageToWire, recordToWire, toWire } from "../../protocol/translate.ts";
import { answers, jsonOf } from "../../wire/answers.ts";
import {
  changes,
  deleteQuery,
  erased,
  eraseRequest,
  grainPath,
  listQuery,
  page,
  purged,
  record,
} from "../../wire/grains.ts";
import { changeParameters, readParameters, writeParameters } from "../../wire/parameters.ts";
import { refuseBody } from "../body.ts";
import { type AppEnv, memoryOf, readOptions, type Shared, writeOptions } from "../request.ts";

export function addGrainRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  app.openapi(listRoute, async (c) => {
    const options = fromWire(c.req.valid("query"));
    const found = pageToWire(await memoryOf(shared, c).list({ ...options, ...readOptions(shared, c) }));
    if (found.cursor !== undefined) c.header("link", `<${nextUrl(c, found.cursor)}>; rel="next"`);
    return c.json(found, 200);
  });
  app.openapi(getRoute, async (c) => {
    const found = await memoryOf(shared, c).get(c.req.valid("param").id, readOptions(shared, c));
    if (found === undefined) throw new FluxError("not_found", "There is no grain or record with this id");
    c.header("etag", `"${found.version}"`);
    return c.json(recordToWire(found), 200);
  });
  app.openapi(patchRoute, async (c) => {
    const { content, ...rest } = c.req.valid("json");
    const changed = await memoryOf(shared, c).update(
      c.req.valid("param").id,
      { ...fromWire(rest), text: content },
      { ...writeOptions(shared, c), ifVersion: expectedVersion(c) },
    );
    c.header("etag", `"${changed.version}"`);
    return c.json(recordToWire(changed), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    await refuseBody(c);
    if (expectedVersion(c) !== undefined)
      throw new FluxError("invalid_argument", "If-Match is for changes, not for DELETE");
    const { undo_window: undoWindow } = c.req.valid("query");
    const options = { ...writeOptions(shared, c), undoWindow };
    return c.json(toWire(await memoryOf(shared, c).purge(c.req.valid("param").id, options)), 200);
  });
  for (const action of ["archive", "undo"] as const)
    app.openapi(actionRoutes[action], async (c) => {
      await refuseBody(c);
      const { id } = c.req.valid("param");
      const changed = await memoryOf(shared, c)[action](id, writeOptions(shared, c));
      return c.json(recordToWire(changed), 200);
    });
  app.openapi(eraseRoute, async (c) => {
    const scope = fromWire(c.req.valid("json")) as EraseScope;
    return c.json(toWire(await memoryOf(shared, c).erase(scope, writeOptions(shared, c))), 200);
  });
}

/** The same request, a page further. */
function nextUrl(c: Context, cursor: string): string {
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("after", cursor);
  return `${pathname}?${searchParams}`;
}

/** The version that `If-Match` asks for; undefined for any. */
function expectedVersion(c: Context): number | undefined {
  const header = c.req.header("if-match");
  if (header === undefined || header === "*") return undefined;
  const [, version] = /^"(\d{1,15})"$/.exec(header) ?? [];
  if (version !== undefined) return Number(version);
  throw new FluxError("invalid_argument", "If-Match is no ETag of a grain", {
    hint: 'It is the ETag of an earlier answer, with its quotes, such as "12".',
  });
}

const listRoute = createRoute({
  method: "get",
  path: "/grains",
  operationId: "list_grains",
  tags: ["Grains"],
  summary: "A page of what is stored",
  parameters: readParameters,
  request: { query: listQuery },
  responses: answers(page, "The page."),
});

const getRoute = createRoute({
  method: "get",
  path: "/grains/{id}",
  operationId: "get_grain",
  tags: ["Grains"],
  summary: "A stored text, message or episode",
  description: "Its version is the `ETag`.",
  parameters: readParameters,
  request: { params: grainPath },
  responses: answers(record, "The record."),
});

const patchRoute = createRoute({
  method: "patch",
  path: "/grains/{id}",
  operationId: "update_grain",
  tags: ["Grains"],
  summary: "Change it",
  parameters: changeParameters,
  request: { params: grainPath, ...jsonOf(changes) },
  responses: answers(record, "The record as it is now."),
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/grains/{id}",
  operationId: "delete_grain",
  tags: ["Grains"],
  summary: "Hide it at once, and erase it when its undo window ends",
  description: "With what was derived from it. `POST /erase` erases at once.",
  parameters: writeParameters,
  request: { params: grainPath, query: deleteQuery },
  responses: answers(purged, "When it will be erased."),
});

const actionRoutes = {
  archive: actionRoute("archive", "Rank it far behind what is active"),
  undo: actionRoute("undo", "Take back an archive, or a delete whose undo window has not ended"),
};

/** What is done to a grain without a body. */
function actionRoute(action: "archive" | "undo", summary: string) {
  return createRoute({
    method: "post",
    path: `/grains/{id}/${action}`,
    operationId: `${action}_grain`,
    tags: ["Grains"],
    summary,
    parameters: writeParameters,
    request: { params: grainPath },
    responses: answers(record, "The record as it is now."),
  });
}

const eraseRoute = createRoute({
  method: "post",
  path: "/erase",
  operationId: "erase",
  tags: ["Grains"],
  summary: "Erase for good, with everything that was derived from it",
  parameters: writeParameters,
  request: jsonOf(eraseRequest),
  responses: answers(erased, "The receipt."),
});
