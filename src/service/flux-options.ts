import type { FluxOptions } from "../flux/flux.ts";
import type { LanguageModelSettings } from "../language/model.ts";
import type { Config } from "./config.ts";
import { defaultOf } from "./config-keys.ts";

const day = 24 * 3_600_000;

/** How a memory is opened by a configuration. */
export function fluxOptionsOf(
  config: Config,
): Pick<FluxOptions, "embedder" | "languageModel" | "autoExtract" | "traceRetention"> {
  return {
    embedder: config.EMBEDDER === "none" ? false : config.EMBEDDER,
    languageModel: languageModelOf(config),
    // Rules derive facts also where no model answers, or none is wanted.
    autoExtract: config.OPERATING_MODE === "flux_extracts",
    traceRetention: config.TRACE_RETENTION_DAYS * day,
  };
}

/** The language model that derives statements and facts; false when the callers do, or rules alone. */
export function languageModelOf(config: Config): LanguageModelSettings | false {
  const { OPERATING_MODE, LLM_MODEL, LLM_BASE_URL, LLM_TIMEOUT_SECONDS } = config;
  if (OPERATING_MODE === "caller_extracts" || LLM_MODEL === "none") return false;
  // The default is that of Ollama, which other providers are not to be looked for at.
  const own = LLM_BASE_URL !== defaultOf("LLM_BASE_URL");
  return {
    model: LLM_MODEL,
    timeout: LLM_TIMEOUT_SECONDS * 1000,
    ...(own ? { baseURL: LLM_BASE_URL } : {}),
  };
}
