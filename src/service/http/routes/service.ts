import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { toWire } from "../../protocol/translate.ts";
import { answers } from "../../wire/answers.ts";
import { readParameters } from "../../wire/parameters.ts";
import { health, onboarding, serviceStatus } from "../../wire/service.ts";
import { type AppEnv, memoryOf, readOptions, type Shared } from "../request.ts";

export function addServiceRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  const { service } = shared;
  app.openapi(healthRoute, async (c) => {
    const options = readOptions(shared, c);
    const memory = memoryOf(shared, c);
    const ofService = await service.health(options);
    if (ofService.status !== "healthy") return c.json(toWire(ofService), 503);
    return c.json(toWire({ ...ofService, memory: await memory.health(options) }), 200);
  });
  app.openapi(onboardRoute, async (c) => c.json(toWire(await service.onboard(readOptions(shared, c))), 200));
  app.openapi(statusRoute, async (c) => {
    const { config, ...status } = await service.status(readOptions(shared, c));
    return c.json({ ...toWire(status), config: { ...config.toJSON() } }, 200);
  });
}

const healthRoute = createRoute({
  method: "get",
  path: "/health",
  operationId: "health",
  tags: ["Service"],
  summary: "Whether the service works, and the memory of this user in figures",
  parameters: readParameters,
  responses: {
    ...answers(health, "It works."),
    503: {
      description: "It does not.",
      content: { "application/json": { schema: health } },
    },
  },
});

const onboardRoute = createRoute({
  method: "get",
  path: "/onboard",
  operationId: "onboard",
  tags: ["Service"],
  summary: "What a client needs to know to use this memory well",
  responses: answers(onboarding, "The instructions."),
});

const statusRoute = createRoute({
  method: "get",
  path: "/status",
  operationId: "status",
  tags: ["Service"],
  summary: "The service and its store in detail",
  responses: answers(serviceStatus, "The status."),
});
