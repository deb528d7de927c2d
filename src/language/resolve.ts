import { checkAddress, checkKey } from "../embed/models/openai-http.ts";
import { checkFunction } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { checkNames, optionNames } from "../model/options.ts";
import { type LoadedModel, loadModel } from "./load-model.ts";
import {
  isLanguageModel,
  type LanguageModel,
  type LanguageModelChoice,
  type LanguageModelSettings,
} from "./model.ts";

/** A choice that was checked; what it needs is loaded with the first use. */
export interface ResolvedModel {
  /** Provider and model, as messages and `status` call it. */
  readonly name: string;
  /** Milliseconds for one answer. */
  readonly timeout: number;
  readonly budget?: LanguageModelSettings["budget"];
  readonly onUsage?: LanguageModelSettings["onUsage"];
  /** @throws FluxError `missing_package`, or `invalid_argument` for a provider without language models */
  load(): Promise<LoadedModel>;
}

const names = optionNames<LanguageModelSettings>({
  ...{ model: true, baseURL: true, apiKey: true, timeout: true, budget: true, onUsage: true },
});

/** Twice what an embedder is given: a local model of eight billion parameters writes ten to forty words a second. */
const defaultTimeout = 60_000;
/** A model that takes longer than an hour is taken to hang. */
const longestTimeout = 3_600_000;

/**
 * Checks what was chosen. Nothing is loaded or called by it.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`
 */
export function resolveLanguageModel(choice: LanguageModelChoice): ResolvedModel {
  const { model, baseURL, apiKey, timeout = defaultTimeout, budget, onUsage } = settingsOf(choice);
  if (!(Number.isSafeInteger(timeout) && timeout >= 1 && timeout <= longestTimeout)) {
    const message = `timeout must be a whole number of milliseconds from 1 to ${longestTimeout}`;
    throw new FluxError("invalid_argument", message);
  }
  checkFunction(budget, "budget");
  checkFunction(onUsage, "onUsage");
  const hooks = { budget, onUsage };
  if (typeof model !== "string") {
    if (baseURL !== undefined || apiKey !== undefined)
      throw new FluxError("invalid_argument", "baseURL and apiKey go with a model given by name", {
        hint: "A model of the AI SDK has both from the provider that made it.",
      });
    return { name: nameOf(model), timeout, ...hooks, load: async () => ({ model }) };
  }
  const named = parseName(model);
  if (apiKey !== undefined) checkKey(apiKey);
  const address = baseURL === undefined ? undefined : checkAddress(baseURL);
  if (named.provider === "openai-compatible" && address === undefined)
    throw new FluxError("invalid_argument", "A model of openai-compatible needs the baseURL of its server");
  let loading: Promise<LoadedModel> | undefined;
  const load = (): Promise<LoadedModel> => {
    // A package may be installed while the process runs, but the loader remembers what it did not find: try anew all the same.
    loading ??= loadModel(named, { baseURL: address, apiKey }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return { name: `${named.provider}/${named.model}`, timeout, ...hooks, load };
}

function settingsOf(choice: LanguageModelChoice): LanguageModelSettings {
  if (typeof choice === "string" || isLanguageModel(choice)) return { model: choice };
  if (!isPlainObject(choice)) throw notAModel(choice);
  checkNames(choice, "languageModel", names);
  const { model } = choice as LanguageModelSettings;
  if (typeof model !== "string" && !isLanguageModel(model)) throw notAModel(model);
  return choice as LanguageModelSettings;
}

function notAModel(value: unknown): FluxTypeError {
  const message = `languageModel must be a language model of the AI SDK or "provider/model", not ${describe(value)}`;
  return new FluxTypeError("invalid_argument", message);
}

export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** A name without a provider is one of Ollama's. */
function parseName(text: string): ModelName {
  const name = text.trim();
  const [, provider = "ollama", model = ""] =
    /^(?:([a-z][a-z0-9-]*)\/)?([^\s\p{C}]*[^\s\p{C}/])$/u.exec(name) ?? [];
  if (model === "" || name.length > 256) {
    throw new FluxError("invalid_argument", 'A model is named "provider/model", as in "ollama/llama3.1:8b"');
  }
  return { provider, model };
}

/** "openai.chat" is a name that the provider has given to itself. */
function nameOf({ provider, modelId }: LanguageModel): string {
  return `${provider.split(".")[0]}/${modelId}`;
}
