import { FluxError, FluxTypeError } from "../../model/errors.ts";
import type { OpenAIClient } from "./openai-model.ts";

export interface OpenAIHttpOptions {
  /** Default: the environment variable OPENAI_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Default: the environment variable OPENAI_BASE_URL, else `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined;
}

/** An answer with a status other than 2xx, or one that is not JSON. Without its body, which may repeat texts and the key. */
class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Response) {
    super(`HTTP ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * OpenAI's HTTP interface for embeddings, which many other servers speak as well, by fetch alone.
 *
 * @throws FluxError `invalid_argument` for a key or an address that cannot be sent to; those of the environment are looked at
 *   with the first call
 */
export function openAIHttp({ apiKey, baseURL }: OpenAIHttpOptions): OpenAIClient {
  if (apiKey !== undefined) checkKey(apiKey);
  if (baseURL !== undefined) checkAddress(baseURL);
  // Once, so that it is what the embedder's id says.
  const base = baseURL ?? environment("OPENAI_BASE_URL") ?? "https://api.openai.com/v1";
  return {
    baseURL: base,
    embeddings: {
      async create(request, { signal } = {}) {
        const key = apiKey ?? environment("OPENAI_API_KEY");
        if (key === undefined) {
          const hint = "Set OPENAI_API_KEY, or give apiKey.";
          throw new FluxError("unauthorized", "There is no API key for OpenAI", { hint });
        }
        checkKey(key);
        const response = await fetch(`${checkAddress(base)}/embeddings`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(request),
          ...(signal && { signal }),
        });
        const body = await response.text();
        if (!response.ok) throw new HttpError(response);
        try {
          return JSON.parse(body);
        } catch {
          throw new HttpError(response);
        }
      },
    },
  };
}

/**
 * Neither message repeats what was given: it is a secret, or may hold one.
 *
 * @throws FluxTypeError `invalid_argument` for what cannot be a key
 */
export function checkKey(key: unknown): void {
  if (typeof key === "string" && /^[\x21-\x7e]*$/.test(key)) return;
  throw new FluxTypeError("invalid_argument", "apiKey must be a string of visible ASCII characters");
}

/**
 * The address of a server, without a slash at its end.
 *
 * @throws FluxTypeError or FluxError `invalid_argument` for what cannot be sent to
 */
export function checkAddress(base: unknown): string {
  const url = typeof base === "string" ? URL.parse(base) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new FluxTypeError("invalid_argument", "baseURL must be an http or https address without a query");
  if (url.username !== "" || url.password !== "")
    throw new FluxError("invalid_argument", "baseURL must not hold a user name or password", {
      hint: "Give the key as apiKey.",
    });
  return url.href.replace(/\/+$/, "");
}

/** A variable of the environment that is set and not empty; undefined where there is no environment. */
export function environment(name: string): string | undefined {
  const value = typeof process === "undefined" ? undefined : process.env?.[name]?.trim();
  return value === "" ? undefined : value;
}
