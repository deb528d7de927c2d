import {
  type ReadText,
  readForUpdates,
  setsRight,
  type TermWeight,
  termsOfUpdate,
  textUpdate,
} from "../facts/text-updates.ts";
import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import { spokenKinds } from "../recall/conditions.ts";
import { readTexts } from "../recall/gather.ts";
import { inverseFrequency } from "../store/bm25.ts";
import { pausesOf } from "../store/pauses.ts";
import { around, find, match, type Page } from "../store/read.ts";
import type { Matches, Surroundings } from "../store/search.ts";
import type { SourceText } from "./extract-sources.ts";
import { grainAt, type Mark } from "./mark-plan.ts";
import type { FluxParts } from "./open-flux.ts";

/** Terms by which what a text may replace is searched for, and how many of what is found is looked at. */
const maxTerms = 64;
const maxCandidates = 40;
/** How far back in the session what a text sets right may stand, and how many texts of its author. */
const reach = 8;
const adjacent = 2;
/** Texts that are looked up at a time: a store in this process keeps others waiting meanwhile. */
const atOnce = 4;

/** A text with its own grains, and what it says that may replace something. */
interface Updating {
  readonly source: SourceText;
  readonly read: ReadText;
  readonly terms: readonly string[];
  readonly grains: readonly Stored<Grain>[];
}

/** An older grain by the same author. */
interface Candidate {
  readonly grain: Stored<Grain>;
  readonly adjacent: boolean;
}

/**
 * Finds which earlier texts of a partition the given ones replace: candidates by words, of the same author, in whatever session,
 * and where something is set right, what was said just before. Reads three times for every four texts that may replace something.
 */
export async function findMarks(
  { ledger, indexes }: Pick<FluxParts, "ledger" | "indexes">,
  partition: Partition,
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly Mark[]> {
  const { lexical, analyser } = indexes.active();
  const told = texts.flatMap((source) => {
    if (source.provenance === "ai_stated") return [];
    const read = readForUpdates(source.text, analyser);
    const terms = termsOfUpdate(read).slice(0, maxTerms);
    return terms.length > 0 || setsRight(read) ? [{ source, read, terms }] : [];
  });
  // Similar texts have the same candidates.
  const known = new Map<string, ReadText>();
  const marks: Mark[] = [];
  const pause = pausesOf(signal);
  for (let first = 0; first < told.length; first += atOnce) {
    const updating = await withGrains(ledger, partition, told.slice(first, first + atOnce), signal);
    const gathered = await gather({ ledger, partition, lexical: lexical.id }, updating, signal);
    await pause();
    const all = gathered.flatMap(({ candidates }) => candidates.map(({ grain }) => grain));
    const unread = all.filter(({ id }) => !known.has(id));
    for (const [id, text] of await readTexts({ ledger, partition }, unread, { signal }))
      known.set(id, readForUpdates(text, analyser));
    for (const one of gathered) {
      marks.push(...marksOf(one, known));
      await pause();
    }
  }
  return marks;
}

async function withGrains(
  ledger: FluxParts["ledger"],
  partition: Partition,
  told: readonly Omit<Updating, "grains">[],
  signal: AbortSignal,
): Promise<readonly Updating[]> {
  const pages = (await ledger.read(
    [partition],
    told.map(({ source: { source } }) =>
      find("grain", { index: "byOwner", prefix: [source.kind, source.id], limit: 100 }),
    ),
    { signal },
  )) as readonly Page<Stored<Grain>>[];
  return told
    .map((one, i): Updating => ({ ...one, grains: pages[i]?.items ?? [] }))
    .filter(({ grains }) => grains.length > 0);
}

function marksOf(
  { one, matches, candidates }: Gathered,
  known: ReadonlyMap<string, ReadText>,
): readonly Mark[] {
  const weight = weightsOf(one.terms, matches);
  return candidates.flatMap(({ grain, adjacent: isAdjacent }) => {
    const older = known.get(grain.id);
    const update = older && textUpdate(one.read, older, weight, { adjacent: isAdjacent });
    const own = update && grainAt(one.grains, (one.source.source.start ?? 0) + update.at);
    return own === undefined ? [] : [{ older: grain.id, newer: own.id }];
  });
}

interface Gathered {
  readonly one: Updating;
  readonly matches: Matches | undefined;
  readonly candidates: readonly Candidate[];
}

async function gather(
  {
    ledger,
    partition,
    lexical,
  }: Pick<FluxParts, "ledger"> & { readonly partition: Partition; readonly lexical: number },
  updating: readonly Updating[],
  signal: AbortSignal,
): Promise<readonly Gathered[]> {
  const searched = updating.filter(({ terms }) => terms.length > 0);
  const corrected = updating.filter(({ read }) => setsRight(read));
  const found = await ledger.read(
    [partition],
    [
      ...searched.map(({ source: { saidAt, provenance }, terms }) => {
        const where = { until: saidAt + 1, provenance: [provenance], ownerKinds: spokenKinds };
        return match({ space: lexical, terms, limit: maxCandidates, where });
      }),
      ...corrected.map(({ grains }) => around({ grains: grains.slice(0, 1), reach })),
    ],
    { signal },
  );
  return updating.map((one) => {
    const matches = found[searched.indexOf(one)] as Matches | undefined;
    const place = corrected.indexOf(one);
    const beside = place < 0 ? [] : (found[searched.length + place] as Surroundings);
    return { one, matches, candidates: candidatesOf(one, matches?.candidates ?? [], beside) };
  });
}

/** Grains of earlier records by the same author, those that were not put away. */
function candidatesOf(
  { grains, source }: Updating,
  matches: Matches["candidates"],
  beside: Surroundings,
): readonly Candidate[] {
  const [own] = grains;
  if (own === undefined) return [];
  const mayBeReplaced = (grain: Stored<Grain>): boolean =>
    grain.author === own.author &&
    grain.provenance === source.provenance &&
    grain.ownerId !== own.ownerId &&
    (grain.status === "active" || grain.status === "dormant") &&
    (grain.saidAt < own.saidAt || (grain.saidAt === own.saidAt && grain.seq < own.seq));
  const before = beside
    .filter(({ distance, grain }) => distance < 0 && mayBeReplaced(grain))
    .sort((a, b) => b.distance - a.distance)
    .slice(0, adjacent)
    .map(({ grain }) => ({ grain, adjacent: true }));
  const known = new Set(before.map(({ grain }) => grain.id));
  const others = matches
    .filter(({ grain }) => mayBeReplaced(grain) && !known.has(grain.id))
    .map(({ grain }) => ({ grain, adjacent: false }));
  return [...before, ...others];
}

/** The weight of a term by how rare it is; of one that was not searched for, the mean. */
function weightsOf(terms: readonly string[], matches: Matches | undefined): TermWeight {
  const { documents = 0, frequencies = [] } = matches ?? {};
  const weights = new Map(
    terms.map((term, i) => [term, 1 + inverseFrequency(documents, frequencies[i] ?? 0)] as const),
  );
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  const mean = weights.size === 0 ? 1 : sum / weights.size;
  return (term) => weights.get(term) ?? mean;
}
