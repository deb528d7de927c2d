import { Flux } from "../flux/flux.ts";
import { FluxError } from "../model/errors.ts";
import { readConfig } from "../service/daemon/config-file.ts";
import type { Instance } from "../service/daemon/instance.ts";
import { instanceStore } from "../service/daemon/instance-store.ts";
import { fluxOptionsOf } from "../service/flux-options.ts";

/** The memory of an instance, opened by this process: beside its daemon, if that runs. */
export interface OpenMemory extends AsyncDisposable {
  readonly flux: Flux;
}

/**
 * Opens the store of an instance. Several processes may use it at once, so that commands need no daemon, and the limits that
 * it sets to agents are none to the owner of the memory.
 *
 * @throws FluxError `instance_not_found`, `config_invalid` and its like; `invalid_argument` for a memory that only the daemon has;
 *   what a store can fail with
 */
export async function openMemory(instance: Instance): Promise<OpenMemory> {
  const config = readConfig(instance);
  const store = instanceStore(instance, config);
  try {
    const { durability } = await store.ledger.capabilities();
    if (durability === "memory") {
      throw new FluxError(
        "invalid_argument",
        "The memory of this instance is in the process of its daemon alone",
        { hint: "STORE in its configuration says so. Use the REST API." },
      );
    }
    // What its owner looks for is no recall of an agent, whose echo would be known again.
    const flux = await Flux.open(store.ledger, { ...fluxOptionsOf(config), traceRetention: 0 });
    return {
      flux,
      async [Symbol.asyncDispose]() {
        await flux.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
