import { FluxError } from "../../model/errors.ts";
import { type EmbeddingModel, isEmbeddingModel } from "./model.ts";
import { openAIHttp } from "./openai-http.ts";
import { openAIModel } from "./openai-model.ts";

/** What a provider of the AI SDK offers: the newer name first, the older one for packages of 2025. */
interface Provider {
  embeddingModel?(model: string): unknown;
  textEmbeddingModel?(model: string): unknown;
}

/** Providers of the AI SDK that others publish. */
const otherPackages: Readonly<Record<string, string>> = { voyage: "voyage-ai-provider" };

/**
 * The model of a string such as `google/gemini-embedding-001`, by the package `@ai-sdk/google`, whose export of the same name
 * is the provider.
 *
 * @throws FluxError `missing_package`, or `invalid_argument` for a string of another form or a provider without embeddings
 */
export async function loadModel(name: string): Promise<EmbeddingModel> {
  const [, provider = "", model = ""] = /^([a-z][a-z0-9-]*)\/(.+)$/s.exec(name) ?? [];
  if (provider === "")
    throw new FluxError(
      "invalid_argument",
      'A model is named "provider/model", as in "openai/text-embedding-3-small"',
    );
  if (provider === "openai") return openAIModel({ model, client: openAIHttp({}) });
  const from = (Object.hasOwn(otherPackages, provider) && otherPackages[provider]) || `@ai-sdk/${provider}`;
  const exported = provider.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  let loaded: Record<string, Provider | undefined>;
  try {
    loaded = await import(from);
  } catch (cause) {
    const hint = `npm install ${from}`;
    throw new FluxError("missing_package", `The embedder needs the package ${from}`, { hint, cause });
  }
  const made = loaded[exported];
  const found = made?.embeddingModel?.(model) ?? made?.textEmbeddingModel?.(model);
  if (!isEmbeddingModel(found)) throw new FluxError("invalid_argument", `${from} has no embedding models`);
  return found;
}
