import { checkAddress, environment } from "../embed/models/openai-http.ts";
import { FluxError } from "../model/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { listModels } from "./list-models.ts";
import { isLanguageModel, type LanguageModel } from "./model.ts";
import type { ModelName } from "./resolve.ts";

/** A model that can be called. */
export interface LoadedModel {
  readonly model: LanguageModel;
  /**
   * Whether its server is there and has it, without having it write anything. Absent where nobody but the model knows.
   *
   * @throws FluxError `unavailable`, `unauthorized`, `timeout`
   */
  readonly probe?: (signal: AbortSignal) => Promise<void>;
}

export interface ServerOptions {
  readonly baseURL: string | undefined;
  readonly apiKey: string | undefined;
}

/** What a provider of the AI SDK offers. */
interface Provider {
  languageModel?(model: string): unknown;
}

/** Where Ollama listens unless it is told otherwise. */
const ollamaAddress = "http://127.0.0.1:11434";
const openAIAddress = "https://api.openai.com/v1";

/**
 * The model of a name: those of Ollama, of OpenAI and of servers with its protocol by what this package depends on, others by
 * the package `@ai-sdk/PROVIDER`, whose export of the same name is the provider.
 *
 * @throws FluxError `missing_package`, or `invalid_argument` for a provider without language models or an address in the
 *   environment that is none
 */
export async function loadModel(name: ModelName, { baseURL, apiKey }: ServerOptions): Promise<LoadedModel> {
  switch (name.provider) {
    case "ollama":
      return compatible(name, { baseURL: withVersion(baseURL ?? ollamaAddress), apiKey });
    case "openai":
      return compatible(name, {
        baseURL: baseURL ?? checkAddress(environment("OPENAI_BASE_URL") ?? openAIAddress),
        apiKey: apiKey ?? environment("OPENAI_API_KEY"),
      });
    case "openai-compatible":
      return compatible(name, { baseURL, apiKey });
    default:
      return { model: await loadPackage(name, { baseURL, apiKey }) };
  }
}

/** Ollama's address is given without the path of OpenAI's protocol, as its own tools do. */
function withVersion(address: string): string {
  return new URL(address).pathname === "/" ? `${address.replace(/\/$/, "")}/v1` : address;
}

async function compatible(
  { provider, model }: ModelName,
  { baseURL = "", apiKey }: ServerOptions,
): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const made = createOpenAICompatible({
    ...{ name: provider, baseURL, fetch: boundedFetch, supportsStructuredOutputs: true },
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(provider === "openai" ? { transformRequestBody: asOpenAI } : {}),
  });
  const server = { name: `${provider}/${model}`, baseURL, apiKey };
  return {
    model: made.chatModel(model),
    probe: (signal) => listModels(server, { model, ofOllama: provider === "ollama", signal }),
  };
}

/** OpenAI's reasoning models take neither a temperature nor the older name of the limit. */
function asOpenAI({ max_tokens, temperature: _unused, ...body }: Readonly<Record<string, unknown>>) {
  return { ...body, max_completion_tokens: max_tokens };
}

async function loadPackage(
  { provider, model }: ModelName,
  { baseURL, apiKey }: ServerOptions,
): Promise<LanguageModel> {
  const from = `@ai-sdk/${provider}`;
  const exported = provider.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await import(from);
  } catch (cause) {
    const hint = `npm install ${from}`;
    throw new FluxError("missing_package", `The language model needs the package ${from}`, { hint, cause });
  }
  // `createMistral` makes what `mistral` is, with settings.
  const create = loaded[`create${exported.charAt(0).toUpperCase()}${exported.slice(1)}`];
  const settings = {
    fetch: boundedFetch,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const made = (typeof create === "function" ? create(settings) : loaded[exported]) as Provider | undefined;
  const found = made?.languageModel?.(model);
  if (!isLanguageModel(found)) throw new FluxError("invalid_argument", `${from} has no language models`);
  return found;
}
