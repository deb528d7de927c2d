import type { MemoryHealth } from "../../flux/flux-memory.ts";
import type { Wire } from "../protocol/translate.ts";
import type { ServiceStatus } from "../service-types.ts";
import type { DaemonRecord } from "./daemon-record.ts";

export interface DaemonStatus {
  /** What the service says of itself and its store; undefined when it could not be asked. */
  readonly service: Wire<ServiceStatus> | undefined;
  /** The memory of the anonymous user in figures; undefined when the store does not answer. */
  readonly memory: Wire<MemoryHealth> | undefined;
}

/** Milliseconds for an answer. */
const patience = 5000;

/** Asks a running daemon how it is. What it cannot tell is left out. */
export async function daemonStatus({ url }: DaemonRecord, signal: AbortSignal): Promise<DaemonStatus> {
  const ask = async (path: string): Promise<unknown> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const response = await fetch(new URL(path, url), { signal: within, redirect: "error" }).catch(
      () => undefined,
    );
    signal.throwIfAborted();
    // A service that is not well answers with another status, and still says why.
    return response?.headers.get("content-type")?.startsWith("application/json")
      ? response.json().catch(() => undefined)
      : undefined;
  };
  const [service, health] = await Promise.all([ask("/status"), ask("/health")]);
  return {
    service: service as DaemonStatus["service"],
    memory: (health as { readonly memory?: DaemonStatus["memory"] } | undefined)?.memory,
  };
}
