import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { askedFromWire, fromWire, recallToWire, toWire } from "../../protocol/translate.ts";
import { answers, jsonOf } from "../../wire/answers.ts";
import {
  feedbackBatchRequest,
  feedbackRequest,
  feedbackResult,
  feedbackResults,
  pendingQuery,
  pendingTraces,
} from "../../wire/feedback.ts";
import { readParameters, writeParameters } from "../../wire/parameters.ts";
import { retrieved, retrieveRequest } from "../../wire/retrieve.ts";
import { type AppEnv, memoryOf, readOptions, type Shared, writeOptions } from "../request.ts";

export function addRetrieveRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  app.openapi(retrieveRoute, async (c) => {
    const { query, ...asked } = c.req.valid("json");
    const options = { ...askedFromWire(asked), ...readOptions(shared, c) };
    const result = await memoryOf(shared, c).recall(query, options);
    return c.json(recallToWire(result), 200);
  });
  app.openapi(feedbackRoute, async (c) => {
    const { trace_id, grain_id, useful } = c.req.valid("json");
    const options = { useful, ...writeOptions(shared, c) };
    return c.json(toWire(await memoryOf(shared, c).feedback(trace_id, grain_id, options)), 200);
  });
  app.openapi(feedbackBatchRoute, async (c) => {
    const items = fromWire(c.req.valid("json").items);
    const results = await memoryOf(shared, c).feedbackBatch(items, writeOptions(shared, c));
    return c.json({ items: toWire(results) }, 200);
  });
  app.openapi(pendingRoute, async (c) => {
    const options = { ...c.req.valid("query"), ...readOptions(shared, c) };
    return c.json({ pending_traces: toWire(await memoryOf(shared, c).pendingFeedback(options)) }, 200);
  });
}

const retrieveRoute = createRoute({
  method: "post",
  path: "/retrieve",
  operationId: "retrieve",
  tags: ["Retrieve"],
  summary: "Find what is remembered about a query",
  description: "The best first, each with the reasons for it.",
  parameters: readParameters,
  request: jsonOf(retrieveRequest),
  responses: answers(retrieved, "What was found."),
});

const feedbackRoute = createRoute({
  method: "post",
  path: "/feedback",
  operationId: "feedback",
  tags: ["Retrieve"],
  summary: "Say whether a grain was of use",
  description:
    "Bound to the retrieval, the grain and the caller: said again it changes nothing, said otherwise it replaces what was said.",
  parameters: writeParameters,
  request: jsonOf(feedbackRequest),
  responses: answers(feedbackResult, "What became of it."),
});

const feedbackBatchRoute = createRoute({
  method: "post",
  path: "/feedback/batch",
  operationId: "feedback_batch",
  tags: ["Retrieve"],
  summary: "Say so of several at once",
  description: "All of them are recorded, or none.",
  parameters: writeParameters,
  request: jsonOf(feedbackBatchRequest),
  responses: answers(feedbackResults, "What became of each."),
});

const pendingRoute = createRoute({
  method: "get",
  path: "/pending_feedback",
  operationId: "pending_feedback",
  tags: ["Retrieve"],
  summary: "Retrievals of this caller that have grains without feedback",
  parameters: readParameters,
  request: { query: pendingQuery },
  responses: answers(pendingTraces, "The retrievals."),
});
