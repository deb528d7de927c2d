import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { type AppOptions, createApp } from "../../src/service/http/app.ts";
import { serve } from "../../src/service/http/serve.ts";
import { runService } from "./run-service.ts";

/** A service that runs, by words alone, and its REST interface. Callers owe no feedback unless the configuration says so. */
export async function openRest(
  config: ConfigOptions = {},
  { place = "inmemory", ...options }: AppOptions & { readonly place?: string } = {},
) {
  const running = await runService({ FEEDBACK_ENFORCEMENT_ENABLED: false, ...config }, { place });
  return { ...running, app: createApp(running.service, options) };
}

/** The same, on a free port. */
export async function serveRest(...args: Parameters<typeof openRest>) {
  const rest = await openRest(...args);
  const server = await serve(rest.app, { port: 0 });
  return {
    ...rest,
    ...{ server, url: server.url },
    async [Symbol.asyncDispose]() {
      await server.close();
      await rest[Symbol.asyncDispose]();
    },
  };
}
