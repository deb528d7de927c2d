import type { Context } from "hono";
import type { ServedMemory } from "../../flux/flux-memory.ts";
import type { FluxService } from "../flux-service.ts";
import type { ServiceScope } from "../service-types.ts";
import type { Connection } from "./guard.ts";
import { operationOf, scopeOf } from "./scope.ts";

/** What REST needs of a service. */
export type HttpService = Pick<FluxService, "for" | "onboard" | "health" | "status">;

/** What requests come with. */
export interface AppEnv {
  readonly Bindings: Connection["Bindings"] & {
    /** Aborted when the server closes, so that streams without end do. */
    readonly closing?: AbortSignal;
  };
}

/** What the routes of an app share. */
export interface Shared {
  readonly service: HttpService;
  /** Milliseconds that a call may take. */
  readonly requestTimeout: number;
  /** Milliseconds to wait for a part of a body. */
  readonly bodyTimeout: number;
  /** Milliseconds between signs of life of an event stream. */
  readonly keepAlive: number;
  /** Told of what goes wrong, which is told to whoever runs the service unless the caller is to blame. */
  readonly onError: (error: unknown) => void;
}

/** The memory that a request is about. */
export function memoryOf(
  { service }: Shared,
  c: Context,
  labels: Pick<ServiceScope, "agentId"> = {},
): ServedMemory {
  const scope = scopeOf(c);
  return service.for(labels.agentId === undefined ? scope : { ...scope, ...labels });
}

/** Ends a call when the client goes away or the call takes too long. */
export function readOptions({ requestTimeout }: Shared, c: Context): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(requestTimeout)]) };
}

export function writeOptions(
  shared: Shared,
  c: Context,
): { readonly signal: AbortSignal; readonly operation: string | undefined } {
  return { ...readOptions(shared, c), operation: operationOf(c) };
}

/** Ends a stream when the client goes away or the server closes. */
export function streamSignal(c: Context<AppEnv>): AbortSignal {
  const { closing } = c.env ?? {};
  return closing === undefined ? c.req.raw.signal : AbortSignal.any([c.req.raw.signal, closing]);
}
