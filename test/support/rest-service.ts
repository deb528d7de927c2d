import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { type AppOptions, createApp } from "../../src/service/http/app.ts";
import { serve } from "../../src/service/http/serve.ts";
import { Config, FluxService, FluxStore } from "../../src/service.ts";

/** A service that runs, by words alone, and its REST interface. Callers owe no feedback unless the configuration says so. */
export async function openRest(
  config: ConfigOptions = {},
  { place = "inmemory", ...options }: AppOptions & { readonly place?: string } = {},
) {
  const store = new FluxStore(place);
  const service = new FluxService(store, {
    config: new Config({
      EMBEDDER: "none",
      OPERATING_MODE: "caller_extracts",
      FEEDBACK_ENFORCEMENT_ENABLED: false,
      ...config,
    }),
  });
  await service.start();
  const app = createApp(service, options);
  return {
    ...{ store, service, app },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await store.close();
    },
  };
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
