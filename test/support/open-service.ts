import { Config } from "../../src/service/config.ts";
import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { FluxService } from "../../src/service/flux-service.ts";
import { FluxStore } from "../../src/service/flux-store.ts";
import { ManualClock } from "../../src/store/contract/manual-clock.ts";

/** A service that runs, by words alone, with a clock that the test decides. */
export async function openService(
  options: ConfigOptions = {},
  { place = "inmemory", clock = new ManualClock() } = {},
) {
  const store = new FluxStore(place, { clock });
  const config = new Config({ EMBEDDER: "none", OPERATING_MODE: "caller_extracts", ...options });
  const service = new FluxService(store, { config });
  await service.start();
  return {
    ...{ store, service, clock },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await store.close();
    },
  };
}
