import { Flux, type FluxOptions } from "../../src/flux/flux.ts";
import { ManualClock } from "../../src/store/contract/manual-clock.ts";
import { inMemoryLedger } from "../../src/store/memory/ledger.ts";
import type { TestStore } from "./flux-stores.ts";
import { TestEmbedder } from "./test-embedder.ts";

/** Where which store it is makes no difference. */
export const inMemoryStore: TestStore = {
  place: () => "inmemory",
  open: (_place, options) => inMemoryLedger(options),
};

/** A memory on a new store, whose clock and embedder the test has in its hands. */
export async function openMemory(store: TestStore, options: FluxOptions = {}) {
  const clock = new ManualClock();
  const embedder = new TestEmbedder();
  const place = store.place();
  const ledger = store.open(place, { clock });
  const flux = await Flux.open(ledger, { clock, embedder, ...options });
  return {
    ...{ place, clock, embedder, ledger, flux, memory: flux.for({ userId: "alice" }) },
    async [Symbol.asyncDispose]() {
      await flux.close();
      await ledger.close();
    },
  };
}
