import type { Partition } from "../model/partition.ts";
import type { ShownFact } from "./extract-prompt.ts";
import type { SourceText } from "./extract-sources.ts";
import type { FluxParts } from "./open-flux.ts";

/** What is known already of what texts speak of. */
export async function knownFacts(
  _parts: FluxParts,
  _partition: Partition,
  _texts: readonly SourceText[],
  _signal: AbortSignal,
): Promise<readonly ShownFact[]> {
  return [];
}
