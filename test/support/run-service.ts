import type { Clock } from "../../src/model/clock.ts";
import { Config } from "../../src/service/config.ts";
import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { FluxService } from "../../src/service/flux-service.ts";
import { FluxStore } from "../../src/service/flux-store.ts";

/** A service that runs, by words alone unless the configuration says otherwise. */
export async function runService(
  config: ConfigOptions = {},
  { place = "inmemory", clock }: { readonly place?: string; readonly clock?: Clock } = {},
) {
  const store = new FluxStore(place, { clock });
  const service = new FluxService(store, {
    config: new Config({ EMBEDDER: "none", OPERATING_MODE: "caller_extracts", ...config }),
  });
  await service.start();
  return {
    ...{ store, service },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await store.close();
    },
  };
}
