import { FluxError } from "../../model/errors.ts";
import type { OpenAIClient } from "./openai-model.ts";

export interface OpenAIHttpOptions {
  /** Default: the environment variable OPENAI_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Default: the environment variable OPENAI_BASE_URL, else `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined;
}

/** An answer with a status other than 2xx, or one that is not JSON. */
class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Response, body: string) {
    super(body);
    this.status = status;
    this.headers = headers;
  }
}

/** OpenAI's HTTP interface for embeddings, which many other servers speak as well, by fetch alone. */
export function openAIHttp({ apiKey, baseURL }: OpenAIHttpOptions): OpenAIClient {
  return {
    embeddings: {
      async create(request, { signal } = {}) {
        const key = apiKey ?? environment("OPENAI_API_KEY");
        if (key === undefined) {
          const hint = "Set OPENAI_API_KEY, or give apiKey.";
          throw new FluxError("unauthorized", "There is no API key for OpenAI", { hint });
        }
        const base = baseURL ?? environment("OPENAI_BASE_URL") ?? "https://api.openai.com/v1";
        const response = await fetch(`${base.replace(/\/+$/, "")}/embeddings`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(request),
          ...(signal && { signal }),
        });
        const body = await response.text();
        if (!response.ok) throw new HttpError(response, body.slice(0, 1000));
        try {
          return JSON.parse(body);
        } catch {
          throw new HttpError(response, "The answer is not JSON");
        }
      },
    },
  };
}

/** A variable of the environment that is set and not empty; undefined where there is no environment. */
export function environment(name: string): string | undefined {
  const value = typeof process === "undefined" ? undefined : process.env?.[name]?.trim();
  return value === "" ? undefined : value;
}
