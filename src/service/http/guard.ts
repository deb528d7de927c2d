import type { Context, MiddlewareHandler } from "hono";
import { FluxError } from "../../model/errors.ts";
import { isLoopback } from "../loopback.ts";
import { headerNames } from "../protocol/headers.ts";
import { HttpError } from "./problem.ts";

/**
 * What is there when a request came over a connection, and not from `app.request`: as much of Node's request and response as is used,
 * written out, since the types of Node must not be asked of those who only import the types of the package.
 */
export interface Connection {
  readonly Bindings: {
    readonly incoming?: {
      readonly rawHeaders: readonly string[];
      readonly url?: string | undefined;
      readonly socket: { readonly localPort?: number | undefined };
    };
    readonly outgoing?: { destroy(): unknown };
  };
}

/** Headers that decide something; of two it would be unclear which one holds. */
const single: ReadonlySet<string> = new Set([
  ...Object.values(headerNames),
  "host",
  "origin",
  "content-type",
  "if-match",
  "last-event-id",
]);

/** What is there to be read by people, and says nothing of what is stored. */
const pages: ReadonlySet<string> = new Set(["/", "/docs", "/openapi.json"]);

/**
 * Refuses what only a web page in the user's browser would send. A page can make the browser call any address, and with a name
 * that it lets point to 127.0.0.1 it could even read the answers, so that the name of the host is checked first
 * (https://owasp.org/www-community/attacks/DNS_Rebinding).
 */
export const guard: MiddlewareHandler<Connection> = async (c, next) => {
  const { incoming } = c.env ?? {};
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  if (incoming !== undefined) {
    refuseRepeated(incoming.rawHeaders);
    checkTarget(incoming.url ?? "", host);
  }
  checkHost(host, incoming?.socket.localPort);
  checkOrigin(c, host);
  await next();
};

function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) throw new FluxError("invalid_argument", `The header ${name} is there twice`);
    seen.add(name);
  }
}

/** What would be read as another path than it was meant as, and so as the memory of somebody else. */
function checkTarget(target: string, host: string): void {
  // In the form that proxies are sent, with a host of its own.
  const [, authority = host] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (authority !== host)
    throw new FluxError("invalid_argument", "The target and the Host header name two hosts");
  // `/users/../store` would become `/store`.
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?#]|$)/i.test(target.replace(/[?#].*$/, "")))
    throw new FluxError("invalid_argument", "The path has a segment of dots", {
      hint: `Give such an id by a header, such as ${headerNames.user}.`,
    });
  // Bytes of UTF-8 would each become a character.
  if (/[^!-~]/.test(target))
    throw new FluxError("invalid_argument", "The path is not percent-encoded UTF-8", {
      hint: "Encode ids as encodeURIComponent does.",
    });
}

function checkHost(host: string, port: number | undefined): void {
  const [, name = "", given] = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  const loopback = isLoopback(name.replace(/^\[(.*)\]$/, "$1").toLowerCase());
  if (loopback && (port === undefined || Number(given ?? 80) === port)) return;
  throw new HttpError(
    421,
    new FluxError("forbidden", "The Host header does not name this service", {
      hint: "Call it by localhost or 127.0.0.1 and its port.",
    }),
  );
}

function checkOrigin(c: Context, host: string): void {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site") ?? "none";
  const foreign = site !== "none" && site !== "same-origin";
  // A link to the documentation may be followed from anywhere. One to an export would put the memory among the downloads.
  const followed =
    c.req.method === "GET" && c.req.header("sec-fetch-mode") === "navigate" && pages.has(c.req.path);
  if ((origin === undefined || origin === `http://${host}`) && (!foreign || followed)) return;
  throw new FluxError("forbidden", "Web pages of another origin may not call this service");
}
