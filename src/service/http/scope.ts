import type { Context } from "hono";
import { FluxError } from "../../model/errors.ts";
import type { CallerRole } from "../callers.ts";
import { decodeHeader, headerNames } from "../protocol/headers.ts";
import type { ServiceScope } from "../service-types.ts";

/** What of a path stands before that of the route, and the user that it names. */
const prefix = /^\/users\/([^/]+)(?=\/)/;

/** The path by which routes are found: without the user that it may begin with. */
export function routePath(request: Request): string {
  return new URL(request.url).pathname.replace(prefix, "");
}

/**
 * Whose memory a request is about, and who calls.
 *
 * @throws FluxError for headers that are not percent-encoded, and for two users
 */
export function scopeOf(c: Context): ServiceScope {
  const [, named] = prefix.exec(new URL(c.req.url).pathname) ?? [];
  const byPath = named === undefined ? undefined : decoded(named, "The user in the path");
  const byHeader = header(c, headerNames.user);
  if (byPath !== undefined && byHeader !== undefined && byPath !== byHeader)
    throw new FluxError("invalid_user_id", `The path and ${headerNames.user} name two users`);
  return {
    userId: byPath ?? byHeader ?? null,
    namespace: header(c, headerNames.namespace),
    agentId: header(c, headerNames.agent),
    sessionId: header(c, headerNames.session),
    caller: {
      client: header(c, headerNames.client),
      // The service knows which there are.
      role: header(c, headerNames.role) as CallerRole | undefined,
      callerId: header(c, headerNames.callerId),
    },
  };
}

/** The name of the operation, if the caller gave one. */
export function operationOf(c: Context): string | undefined {
  return header(c, headerNames.operation);
}

function header(c: Context, name: string): string | undefined {
  const value = c.req.header(name);
  return value === undefined ? undefined : decoded(value, `The header ${name}`);
}

function decoded(value: string, what: string): string {
  const text = decodeHeader(value);
  if (text !== undefined) return text;
  throw new FluxError("invalid_argument", `${what} is not percent-encoded UTF-8`, {
    hint: "Encode it as encodeURIComponent does.",
  });
}
