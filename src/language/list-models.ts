import { attempted } from "../embed/models/attempts.ts";
import { FluxError } from "../model/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";

interface Server {
  /** Names the model in messages. */
  readonly name: string;
  readonly baseURL: string;
  readonly apiKey: string | undefined;
}

/** Milliseconds. A server that is there lists its models at once. */
const timeout = 5000;

/**
 * Asks a server with OpenAI's protocol for its models: whether it is there, takes the key and, where it is Ollama, whether it
 * has the model. Others may serve a model under a name that they do not list, or list nothing.
 *
 * @throws FluxError `unavailable`, `unauthorized`, `rate_limited` or `timeout`
 */
export async function listModels(
  { name, baseURL, apiKey }: Server,
  {
    model,
    ofOllama,
    signal,
  }: { readonly model: string; readonly ofOllama: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const body = await attempted(
    async (ended) => {
      const response = await boundedFetch(`${baseURL}/models`, { headers, signal: ended });
      const text = await response.text();
      // Without its body, which may repeat the key.
      if (!response.ok && response.status !== 404)
        throw Object.assign(new Error(), { status: response.status, headers: response.headers });
      return response.ok ? text : "";
    },
    { name, retries: 0, timeout, signal },
  );
  if (ofOllama && lacks(body, model)) {
    throw new FluxError("unavailable", `Ollama does not have ${model}`, {
      hint: `ollama pull ${model}`,
      retryable: true,
    });
  }
}

/** Whether a list of models, as far as it can be read, has others and not this one. */
function lacks(body: string, model: string): boolean {
  let list: unknown;
  try {
    list = (JSON.parse(body) as { readonly data?: unknown } | null)?.data;
  } catch {
    return false;
  }
  if (!Array.isArray(list)) return false;
  const ids = list.map((item: unknown) => (Object(item) as { readonly id?: unknown }).id);
  return !ids.includes(model) && !ids.includes(`${model}:latest`);
}
