import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { itemFromWire, storedToWire } from "../../protocol/translate.ts";
import { answers, jsonOf } from "../../wire/answers.ts";
import { writeParameters } from "../../wire/parameters.ts";
import { storeBatchRequest, stored, storedBatch, storeRequest } from "../../wire/store.ts";
import { type AppEnv, memoryOf, type Shared, writeOptions } from "../request.ts";

export function addStoreRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  app.openapi(storeRoute, async (c) => {
    const { agent_id: agentId, ...item } = c.req.valid("json");
    const memory = memoryOf(shared, c, { agentId });
    const [result] = await memory.storeBatch([itemFromWire(item)], writeOptions(shared, c));
    return c.json(storedToWire(result as NonNullable<typeof result>), 200);
  });
  app.openapi(storeBatchRoute, async (c) => {
    const { agent_id: agentId, items } = c.req.valid("json");
    const memory = memoryOf(shared, c, { agentId });
    const results = await memory.storeBatch(items.map(itemFromWire), writeOptions(shared, c));
    return c.json({ items: results.map(storedToWire) }, 200);
  });
}

const storeRoute = createRoute({
  method: "post",
  path: "/store",
  operationId: "store",
  tags: ["Store"],
  summary: "Store a text, a message or an episode",
  description:
    "Kept word for word. A text that was stored before by the same author is counted as a mention, and so is one that a recent retrieval returned, unless its provenance is `user_stated`. An episode whose `id` is there already is replaced, if it says something else.",
  parameters: writeParameters,
  request: jsonOf(storeRequest),
  responses: answers(stored, "What became of it."),
});

const storeBatchRoute = createRoute({
  method: "post",
  path: "/store/batch",
  operationId: "store_batch",
  tags: ["Store"],
  summary: "Store several at once",
  description: "All of them are stored, or none.",
  parameters: writeParameters,
  request: jsonOf(storeBatchRequest),
  responses: answers(storedBatch, "What became of each."),
});
