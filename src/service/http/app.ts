import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { checkKnown, checkMilliseconds } from "../../flux/check-options.ts";
import { checkFunction } from "../../model/check-values.ts";
import { FluxError } from "../../model/errors.ts";
import { optionNames } from "../../model/options.ts";
import { jsonBody } from "./body.ts";
import { addDocs } from "./docs-routes.ts";
import { guard } from "./guard.ts";
import { HttpError, isExpected, problemResponse, throwInvalid } from "./problem.ts";
import type { AppEnv, HttpService, Shared } from "./request.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addGrainRoutes } from "./routes/grains.ts";
import { addRetrieveRoutes } from "./routes/retrieve.ts";
import { addServiceRoutes } from "./routes/service.ts";
import { addStoreRoutes } from "./routes/store.ts";
import { addTransferRoutes } from "./routes/transfer.ts";
import { routePath } from "./scope.ts";

export interface AppOptions {
  /** Milliseconds that a call may take, streams aside; then `timeout`. Default 60,000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds to wait for a body, and for each part of an import. Default 30,000. */
  readonly bodyTimeout?: number | undefined;
  /** Milliseconds between signs of life of an event stream. Default 15,000. */
  readonly keepAlive?: number | undefined;
  /** Told of what is answered with a status from 500 on, and of what ends a stream. What an error says may hold stored text: log its name, not its message. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const names = optionNames<AppOptions>({
  requestTimeout: true,
  bodyTimeout: true,
  keepAlive: true,
  onError: true,
});

/** The REST interface of a service, see docs/rest.md: a Hono app, which `serve` puts on a port. */
export type RestApp = OpenAPIHono<AppEnv>;

/** @throws FluxTypeError or FluxError `invalid_argument` for options that make no sense */
export function createApp(service: HttpService, options: AppOptions = {}): RestApp {
  const {
    onError,
    requestTimeout = 60_000,
    bodyTimeout = 30_000,
    keepAlive = 15_000,
  } = checkKnown(options, names);
  for (const [name, value] of Object.entries({ requestTimeout, bodyTimeout, keepAlive }))
    checkMilliseconds(value, name, 1, 2 ** 31 - 1);
  checkFunction(onError, "onError");
  const tell = (error: unknown): void => {
    if (!isExpected(error)) onError?.(error);
  };
  const shared: Shared = { service, requestTimeout, bodyTimeout, keepAlive, onError: tell };
  const app: RestApp = new OpenAPIHono<AppEnv>({ getPath: routePath, defaultHook: throwInvalid });
  app.use(secure);
  app.use(guard);
  const readBody = jsonBody(bodyTimeout);
  app.use((c, next) => (c.req.path === "/import" ? next() : readBody(c, next)));
  addStoreRoutes(app, shared);
  addRetrieveRoutes(app, shared);
  addGrainRoutes(app, shared);
  addTransferRoutes(app, shared);
  addEventRoutes(app, shared);
  addServiceRoutes(app, shared);
  addDocs(app);
  app.notFound((c) => problemResponse(noRoute(app, c)));
  app.onError((error) => {
    tell(error);
    return problemResponse(error);
  });
  return app;
}

/** Headers of every answer: nothing of it is kept, framed, guessed at or read from elsewhere. */
async function secure(c: Context, next: () => Promise<void>): Promise<void> {
  await next();
  const { headers } = c.res;
  headers.set("cache-control", "no-store");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("referrer-policy", "no-referrer");
  headers.set("x-content-type-options", "nosniff");
  headers.set("x-frame-options", "DENY");
  if (!headers.has("content-security-policy"))
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
}

function noRoute(app: RestApp, c: Context): FluxError | HttpError {
  const allowed = app.routes
    .filter(({ method, path }) => method !== "ALL" && pattern(path).test(c.req.path))
    .map(({ method }) => method);
  if (allowed.length === 0)
    return new FluxError("not_found", "There is nothing at this path", {
      hint: "GET /docs lists the paths.",
    });
  const error = new FluxError("invalid_argument", `${c.req.method} is not for this path`);
  return new HttpError(405, error, { allow: [...new Set(allowed)].join(", ") });
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:[^/]+/g, "[^/]+")}$`);
}
