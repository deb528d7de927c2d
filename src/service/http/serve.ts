import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { checkKnown, checkMilliseconds, checkSignal } from "../../flux/check-options.ts";
import { checkWhole } from "../../model/check-values.ts";
import { FluxError } from "../../model/errors.ts";
import { optionNames } from "../../model/options.ts";
import { isLoopback } from "../loopback.ts";
import type { RestApp } from "./app.ts";
import { problemResponse } from "./problem.ts";

export interface ServeOptions {
  /** A loopback address. Default "127.0.0.1". */
  readonly host?: string | undefined;
  /** 0 for any that is free. Default 7465. */
  readonly port?: number | undefined;
  /** Closes the server when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that requests under way may still take when the server closes. Default 10,000. */
  readonly drain?: number | undefined;
}

/** A server that listens. */
export interface RestServer extends AsyncDisposable {
  /** Such as "http://127.0.0.1:7465". */
  readonly url: string;
  readonly port: number;
  /** Ends event streams, lets other requests finish, and frees the port. Safe to call twice. */
  close(): Promise<void>;
}

const names = optionNames<ServeOptions>({ host: true, port: true, signal: true, drain: true });

/**
 * Puts an app on a port of this machine.
 *
 * @throws FluxError `invalid_argument` for a host that is not loopback and for other options that make no sense; `port_in_use`; `unavailable` for other failures to listen
 */
export async function serve(app: Pick<RestApp, "fetch">, options: ServeOptions = {}): Promise<RestServer> {
  const { host = "127.0.0.1", port = 7465, signal, drain = 10_000 } = checkKnown(options, names);
  if (!isLoopback(host))
    throw new FluxError("invalid_argument", "The service can be reached from this machine only", {
      hint: "Use 127.0.0.1, and a VPN or an SSH tunnel to come from elsewhere.",
    });
  checkWhole(port, "port", 0, 65_535);
  checkMilliseconds(drain, "drain", 0, 2 ** 31 - 1);
  checkSignal(signal)?.throwIfAborted();
  const closing = new AbortController();
  const listener = getRequestListener(
    (request, env) => app.fetch(request, { ...env, closing: closing.signal }),
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => problemResponse(error instanceof RequestError ? malformed() : error),
    },
  );
  // Connections over which nothing was asked yet, as browsers open them ahead. To Node they are not idle.
  const unused = new Set<Socket>();
  const server = createServer(limits, (incoming, outgoing) => {
    unused.delete(incoming.socket);
    // A client that goes on calling over its connection would never let the server close.
    if (closing.signal.aborted) outgoing.shouldKeepAlive = false;
    return listener(incoming, outgoing);
  });
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  // Off, because it would leave headers out without a word; the limit of their size holds.
  server.maxHeadersCount = 0;
  server.timeout = idleTimeout;
  const address = await listen(server, host, port);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      signal?.removeEventListener("abort", close);
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      closing.abort();
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      // Those whose request was under way, and which the client keeps for another one.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const timer = setTimeout(() => server.closeAllConnections(), drain);
      await ended;
      clearInterval(idle);
      clearTimeout(timer);
    })();
    return closed;
  };
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) {
    await close();
    signal.throwIfAborted();
  }
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address}`,
    port: address,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Against clients that say little and slowly. Bodies have their own limits, which know an import from a call. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
} as const;

/** Milliseconds after which a connection on which nothing at all happens is closed. Event streams say something more often. */
const idleTimeout = 600_000;

function malformed(): FluxError {
  return new FluxError("invalid_argument", "The request is malformed");
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE")
        reject(new FluxError("port_in_use", `Another process listens on port ${port}`, { cause }));
      else reject(new FluxError("unavailable", `The service cannot listen on port ${port}`, { cause }));
    });
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
