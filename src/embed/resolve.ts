import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { cached } from "./cached.ts";
import type { Embedder } from "./embedder.ts";
import { HashEmbedder } from "./hash-embedder.ts";
import { sentenceEncoder } from "./local/sentence-encoder.ts";
import { transformersEmbedder } from "./local/transformers-embedder.ts";
import { aiSdkEmbedder } from "./models/ai-sdk-embedder.ts";
import { type EmbeddingModel, isEmbeddingModel } from "./models/model.ts";
import { OpenAIEmbedder } from "./models/openai-embedder.ts";
import { environment } from "./models/openai-http.ts";
import { isOpenAIClient, type OpenAIClient } from "./models/openai-model.ts";
import { ShingleHashEmbedder } from "./shingle-hash-embedder.ts";
import { staticEmbedder } from "./static/static-embedder.ts";

/**
 * What stands for an embedder: one itself, an embedding model of the AI SDK, a client of OpenAI's package, or a name: `static`,
 * `hash`, `shingle-hash`, `sentence-encoder`, `transformers:MODEL` with a name on the hub or a path, `openai` and
 * `openai-small` (text-embedding-3-small), `openai-large`, `cohere`, `voyage`, or `provider/model`.
 */
export type EmbedderChoice = Embedder | EmbeddingModel | OpenAIClient | (string & {});

const named: Readonly<Record<string, () => Embedder | Promise<Embedder>>> = {
  static: staticEmbedder,
  hash: () => new HashEmbedder(),
  "shingle-hash": () => new ShingleHashEmbedder(),
  "sentence-encoder": async () => cached(await sentenceEncoder()),
  openai: () => cached(new OpenAIEmbedder("text-embedding-3-small")),
  "openai-small": () => cached(new OpenAIEmbedder("text-embedding-3-small")),
  "openai-large": () => cached(new OpenAIEmbedder("text-embedding-3-large")),
  cohere: async () => cached(await aiSdkEmbedder("cohere/embed-english-v3.0")),
  voyage: async () => cached(await aiSdkEmbedder("voyage/voyage-3")),
};

/**
 * The embedder of a choice, those that take time with a cache. Without a choice: the one that the environment variable
 * FLUX_EMBEDDER (or LOOMFLOW_EMBEDDER) names; else text-embedding-3-small if there is an OPENAI_API_KEY; else `static`.
 *
 * @throws FluxError `invalid_argument` for a name that is not known, `missing_package` if what it needs is not installed
 */
export async function resolveEmbedder(choice?: EmbedderChoice): Promise<Embedder> {
  if (choice === undefined) return byEnvironment();
  if (typeof choice === "string") return byName(choice);
  if (isEmbedder(choice)) return choice;
  if (isEmbeddingModel(choice)) return cached(await aiSdkEmbedder(choice));
  if (isOpenAIClient(choice)) return cached(new OpenAIEmbedder("text-embedding-3-small", { client: choice }));
  const message = `${describe(choice)} is no embedder, embedding model, client or name of one`;
  throw new FluxTypeError("invalid_argument", message);
}

async function byEnvironment(): Promise<Embedder> {
  const name = environment("FLUX_EMBEDDER") ?? environment("LOOMFLOW_EMBEDDER");
  if (name !== undefined) return byName(name);
  return byName(environment("OPENAI_API_KEY") === undefined ? "static" : "openai");
}

async function byName(text: string): Promise<Embedder> {
  const name = text.trim();
  const lower = name.toLowerCase();
  if (Object.hasOwn(named, lower)) return (named[lower] as () => Promise<Embedder>)();
  const [, model] = /^transformers:(.+)$/is.exec(name) ?? [];
  if (model !== undefined) return cached(await transformersEmbedder({ model }));
  if (name.includes("/")) return cached(await aiSdkEmbedder(name));
  const hint = `Known: ${Object.keys(named).join(", ")}, transformers:MODEL, provider/model.`;
  throw new FluxError("invalid_argument", "There is no embedder of this name", { hint });
}

function isEmbedder(value: unknown): value is Embedder {
  const { id, dimensions, embed } = Object(value) as Partial<Record<keyof Embedder, unknown>>;
  return typeof id === "string" && typeof dimensions === "number" && typeof embed === "function";
}
