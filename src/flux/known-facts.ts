import type { Fact } from "../facts/fact.ts";
import type { Partition } from "../model/partition.ts";
import { cutToUnits } from "../text/cut.ts";
import type { ShownFact } from "./extract-prompt.ts";
import type { SourceText } from "./extract-sources.ts";
import { queryFacts } from "./facts-query.ts";
import { recallFacts } from "./facts-recall.ts";
import type { FluxParts } from "./open-flux.ts";

/** Facts that a model is shown at most, about 350 tokens, and UTF-16 units of them. */
const mostShown = 15;
const mostUnits = 1000;
/** UTF-16 units of the texts by which facts are looked for; more words find no more. */
const queryUnits = 2000;
/** Speakers of whom the newest facts are shown, whatever they say now. */
const mostSpeakers = 3;
const newestOfEach = 6;

/** What is known already of what texts speak of: facts that fit their words, and the newest ones about who speaks. */
export async function knownFacts(
  parts: FluxParts,
  partition: Partition,
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly ShownFact[]> {
  const said = texts.filter(({ provenance }) => parts.extractFrom.includes(provenance));
  if (said.length === 0) return [];
  const query = cutToUnits(said.map(({ text }) => text).join("\n"), queryUnits);
  const speakers = [...new Set(said.map(({ subject }) => subject))].slice(0, mostSpeakers);
  const newest = speakers.map(async (subject) => {
    const { items } = await queryFacts({ ...parts, partition }, { subject, limit: newestOfEach, signal });
    return items;
  });
  const [found, ...own] = await Promise.all([
    recallFacts(parts, { partition }, query, { limit: mostShown, signal }),
    ...newest,
  ]);
  const facts = new Map<string, Fact>([...found.hits, ...own.flat()].map((fact) => [fact.factId, fact]));
  return fitting([...facts.values()]).map(({ subject, predicate, object, affirmed, factId }) => ({
    ...{ subject, predicate, object, affirmed, factId },
  }));
}

/** The first ones that there is room for; of long ones fewer. */
function fitting(facts: readonly Fact[]): readonly Fact[] {
  let units = 0;
  return facts.slice(0, mostShown).filter(({ subject, predicate, object }) => {
    const length = subject.length + predicate.length + object.length;
    if (units + length > mostUnits) return false;
    units += length;
    return true;
  });
}
