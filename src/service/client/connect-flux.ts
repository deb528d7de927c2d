import type { ServedMemory } from "../../flux/flux-memory.ts";
import { checkWhole } from "../../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import type { CallOptions } from "../../store/driver.ts";
import type { CallerOptions, CallerRole } from "../callers.ts";
import type { ConfigValues } from "../config-keys.ts";
import { encodeHeader, headerNames } from "../protocol/headers.ts";
import { fromWire, type Wire } from "../protocol/translate.ts";
import type { Onboarding, ServiceHealth, ServiceScope, ServiceStatus } from "../service-types.ts";
import { known } from "./check.ts";
import { names } from "./option-names.ts";
import { RemoteMemory } from "./remote-memory.ts";
import { Transport } from "./transport.ts";

export interface ClientOptions {
  /** Who calls: any stable name, such as "my-bot". Default "anonymous". */
  readonly client?: string | undefined;
  /** Default "chat". */
  readonly role?: CallerRole | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds to wait for an answer. Default 60,000. */
  readonly timeout?: number | undefined;
  /** How often a call is tried again after the connection failed; every write has its effect once. Default 2. */
  readonly retries?: number | undefined;
  /** Closes the client when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteStatus extends Omit<ServiceStatus, "config"> {
  readonly config: ConfigValues;
}

/** A service at the other end of a connection. */
export interface FluxClient extends AsyncDisposable {
  /**
   * The memory of a scope, with the methods of the SDK's. Arguments are checked by the service, so that every method may reject with
   * what it finds; and with `unavailable` or `timeout` when it does not answer.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`
   */
  for(scope?: ServiceScope): ServedMemory;

  /** What a client needs to know to use this memory well. */
  onboard(options?: CallOptions): Promise<Onboarding>;

  /** Of the process; also resolves when that is not well. */
  health(options?: CallOptions): Promise<ServiceHealth>;

  status(options?: CallOptions): Promise<RemoteStatus>;

  /** Ends streams and waits for calls under way. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Makes a client of a service. Nothing is sent yet.
 *
 * @param url such as "http://127.0.0.1:7465"
 * @throws FluxTypeError or FluxError `invalid_url`, `invalid_argument`
 */
export function connectFlux(url: string | URL, options: ClientOptions = {}): FluxClient {
  const {
    client,
    role,
    timeout = 60_000,
    retries = 2,
    signal,
    fetch: send = fetch,
  } = known(options, names.client);
  checkWhole(timeout, "timeout", 1, 2 ** 31 - 1);
  checkWhole(retries, "retries", 0, 10);
  if (typeof send !== "function")
    throw new FluxTypeError("invalid_argument", `fetch must be a function, not ${describe(send)}`);
  const transport = new Transport({ base: baseOf(url), fetch: send, timeout, retries });
  const close = (): Promise<void> => {
    signal?.removeEventListener("abort", close);
    return transport.close();
  };
  if (signal?.aborted) close();
  else signal?.addEventListener("abort", close, { once: true });
  const get = async <T>(path: string, given: CallOptions = {}, results: readonly number[] = []): Promise<T> =>
    fromWire(
      await transport.json<Wire<T>>({
        method: "GET",
        path,
        headers: callerHeaders({ client, role }),
        signal: known(given, names.call).signal,
        results,
      }),
    ) as T;
  return {
    for: (scope = {}) => {
      const { caller, ...whose } = known(scope, names.scope, "A scope");
      if ("userId" in scope && whose.userId === undefined)
        throw new FluxTypeError("invalid_user_id", "userId must be a string or null, not undefined");
      const who = typeof caller === "string" ? { callerId: caller } : caller;
      return new RemoteMemory(transport, {
        ...callerHeaders(who ?? { client, role }),
        ...scopeHeaders(whose),
      });
    },
    onboard: (given) => get<Onboarding>("/onboard", given),
    // An unhealthy service says so with its own status.
    health: async (given) => {
      const { memory: _, ...health } = await get<ServiceHealth & { readonly memory?: unknown }>(
        "/health",
        given,
        [503],
      );
      return health;
    },
    status: (given) => get<RemoteStatus>("/status", given),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function baseOf(url: string | URL): URL {
  const base = URL.parse(String(url));
  // A path, such as that of a user, would be left out without a word.
  if (base !== null && /^https?:$/.test(base.protocol) && base.href === `${base.origin}/`) return base;
  throw new FluxError("invalid_url", "A service has an address like http://127.0.0.1:7465");
}

function callerHeaders({ client, role, callerId }: CallerOptions): Record<string, string> {
  return headersOf({
    [headerNames.client]: client,
    [headerNames.role]: role,
    [headerNames.callerId]: callerId,
  });
}

function scopeHeaders({
  userId,
  namespace,
  agentId,
  sessionId,
}: Omit<ServiceScope, "caller">): Record<string, string> {
  return headersOf({
    // The anonymous user has no name.
    [headerNames.user]: userId === null ? undefined : userId,
    [headerNames.namespace]: namespace,
    [headerNames.agent]: agentId,
    [headerNames.session]: sessionId,
  });
}

function headersOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    // Another user's memory must never be reached by an id that was changed on the way.
    if (typeof value !== "string" || !value.isWellFormed())
      throw new FluxTypeError(
        name === headerNames.user ? "invalid_user_id" : "invalid_id",
        `${name} must be well-formed text, not ${describe(value)}`,
      );
    headers[name] = encodeHeader(value);
  }
  return headers;
}
