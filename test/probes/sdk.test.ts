import { describe, onTestFinished, test } from "vitest";
import { Flux } from "../../src/flux/flux.ts";
import { onEveryStore } from "../support/flux-stores.ts";
import { allProbes } from "./all-probes.ts";
import { runProbe } from "./probe.ts";

onEveryStore((store) => {
  describe.each(Object.entries(allProbes))("%s", (_group, probes) => {
    test.each(probes)("$name", async (probe) => {
      const ledger = store.open(store.place());
      const flux = await Flux.open(ledger, { embedder: "static" });
      onTestFinished(async () => {
        await flux.close();
        await ledger.close();
      });
      await runProbe(probe, { open: async (scope) => flux.for(scope) });
    });
  });
});
