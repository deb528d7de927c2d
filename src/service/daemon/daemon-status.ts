import type { MemoryHealth } from "../../flux/flux-memory.ts";
import { connectFlux, type RemoteStatus } from "../client/connect-flux.ts";
import type { DaemonRecord } from "./daemon-record.ts";

export interface DaemonStatus {
  /** What the service says of itself and its store; undefined when it could not be asked. */
  readonly service: RemoteStatus | undefined;
  /** The memory of the anonymous user in figures; undefined when the store does not answer. */
  readonly memory: MemoryHealth | undefined;
}

/** Milliseconds for an answer. */
const patience = 5000;

/** Asks a running daemon how it is. What it cannot tell is left out. */
export async function daemonStatus({ url }: DaemonRecord, signal: AbortSignal): Promise<DaemonStatus> {
  await using client = connectFlux(url, { timeout: patience, retries: 0 });
  const told = <T>(asked: Promise<T>): Promise<T | undefined> =>
    asked.catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
  const [service, memory] = await Promise.all([
    told(client.status({ signal })),
    told(client.for().health({ signal })),
  ]);
  return { service, memory };
}
