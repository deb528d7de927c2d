import { checkBoolean, checkChoice, checkMethod } from "../flux/check-options.ts";
import { FluxError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { maxRecordBytes } from "../store/records.ts";
import type { EngineOptions, MemoryPolicy } from "./engine.ts";
import { consoleLogger } from "./logger.ts";
import type { MemoryOptions } from "./spec.ts";
import { defaultTranscriptBytes } from "./transcript.ts";

/**
 * What options come to.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`
 */
export function engineOptionsOf(
  options: MemoryOptions,
  more: Partial<Pick<MemoryPolicy, "maxEpisodes" | "threshold">> = {},
): Pick<EngineOptions, "flux" | "policy" | "logger"> {
  const { namespace, embedder, model, extractFrom, clock, randomness } = options;
  const { withFacts = true, autoExtract = true, storeSides = "both" } = options;
  const { transcriptMaxBytes = defaultTranscriptBytes, logger = consoleLogger } = options;
  if (namespace !== undefined) checkId(namespace, "namespace");
  checkBoolean(withFacts, "withFacts");
  checkBoolean(autoExtract, "autoExtract");
  checkChoice(storeSides, "storeSides", ["both", "input", "output"]);
  if (
    !Number.isInteger(transcriptMaxBytes) ||
    transcriptMaxBytes < 0 ||
    transcriptMaxBytes > maxRecordBytes
  ) {
    throw new FluxError(
      "invalid_argument",
      `transcriptMaxBytes must be a whole number from 0 to ${maxRecordBytes}`,
      {
        hint: "0 stands for no limit.",
      },
    );
  }
  if (logger !== false) checkMethod(logger, "logger", "info");
  return {
    flux: {
      ...{ embedder, extractFrom, clock, randomness },
      languageModel: withFacts && autoExtract ? model : false,
      autoExtract: withFacts && autoExtract,
    },
    policy: {
      withFacts,
      storeSides,
      transcriptMaxBytes,
      maxEpisodes: undefined,
      threshold: undefined,
      ...more,
    },
    logger: logger === false ? undefined : logger,
  };
}
