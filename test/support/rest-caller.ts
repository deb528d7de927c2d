import type { RestApp } from "../../src/service.ts";

/** A caller of an app, without a connection in between. */
export function restCaller(app: RestApp, headers: Readonly<Record<string, string>> = {}) {
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const response = await app.request(path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers, ...more },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  return {
    call,
    get: (path: string, more?: Record<string, string>) => call("GET", path, undefined, more),
    post: (path: string, body: unknown = {}, more?: Record<string, string>) => call("POST", path, body, more),
  };
}
