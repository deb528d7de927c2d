import type { Episode } from "../model/episode.ts";
import type { Grain } from "../model/grain.ts";
import { canonicalJson, type Json, repairJson } from "../model/json.ts";
import type { Ref, Stored } from "../model/record.ts";
import { repairText } from "../model/unicode.ts";
import { derivedFrom, find, get, type Page } from "../store/read.ts";
import { type DerivedRecord, derivedReads, derivedRecords } from "./derived-records.ts";
import type { Draft } from "./store-items.ts";
import type { PreparedDraft } from "./store-plan.ts";

/** Grains in a page of the ledger. What more an episode has must be read before the transaction. */
const grainPage = 1000;

/** The grains of an episode as they were read before the transaction. */
export interface SeenGrains {
  readonly id: string;
  /** `updatedSeq` of the episode; its grains come and go with what it says alone. */
  readonly seen: number;
  readonly grainIds: readonly string[];
}

/** An episode that is there under an id that a caller gives. */
export interface KnownEpisode {
  readonly episode: Stored<Episode>;
  readonly derived: readonly (Ref & { readonly role: string })[];
  /** Undefined where they are more than a page, and were not read before or changed since. */
  readonly grainIds: readonly string[] | undefined;
}

/** The ids that callers gave to episodes, each once. */
export function givenIds(drafts: readonly Pick<Draft, "record">[]): readonly string[] {
  const given = drafts.flatMap(({ record }) =>
    record.kind === "episode" && record.id !== undefined ? [record.id] : [],
  );
  return [...new Set(given)];
}

/** The reads of a plan by which {@link knownEpisodes} knows them. */
export function episodeReads(drafts: readonly PreparedDraft[]) {
  return givenIds(drafts).flatMap((id) => [
    get("episode", id),
    derivedFrom("episode", id),
    find("grain", { index: "byOwner", prefix: ["episode", id], limit: grainPage }),
  ]);
}

/** Those that are there, from the rows of {@link episodeReads}, by id. */
export function knownEpisodes(
  drafts: readonly PreparedDraft[],
  rows: readonly unknown[],
  seen: readonly SeenGrains[] = [],
): ReadonlyMap<string, KnownEpisode> {
  const known = givenIds(drafts).flatMap((id, i) => {
    const [episode, derived, { items, cursor }] = rows.slice(3 * i, 3 * i + 3) as [
      Stored<Episode> | undefined,
      KnownEpisode["derived"],
      Page<Stored<Grain>>,
    ];
    if (episode === undefined) return [];
    const before = seen.find((one) => one.id === id && one.seen === episode.updatedSeq);
    const grainIds = cursor === undefined ? items.map((grain) => grain.id) : before?.grainIds;
    return [[id, { episode, derived, grainIds }] as const];
  });
  return new Map(known);
}

/** Those of them that a draft gives other content, in the order of the drafts. */
export function replacedEpisodes(
  drafts: readonly PreparedDraft[],
  known: ReadonlyMap<string, KnownEpisode>,
): readonly KnownEpisode[] {
  return drafts.flatMap((draft) => {
    const one = draft.record.kind === "episode" ? known.get(draft.record.id ?? "") : undefined;
    return one === undefined || saysTheSame(draft, one.episode) ? [] : [one];
  });
}

/** What was derived from each of them, from the rows of {@link derivedReads} of all of them, by id of the episode. */
export function derivedFromEach(
  replaced: readonly KnownEpisode[],
  rows: readonly unknown[],
): ReadonlyMap<string, readonly DerivedRecord[]> {
  let place = 0;
  return new Map(
    replaced.map(({ episode: { id }, derived }) => {
      const own = rows.slice(place, place + derivedReads(derived).length);
      place += own.length;
      return [id, derivedRecords(derived, own)];
    }),
  );
}

/** Whether an episode says what a draft would have it say, with the same labels and, if the caller said when, at the same time. */
export function saysTheSame({ record, at }: PreparedDraft, episode: Stored<Episode>): boolean {
  if (record.kind !== "episode") return false;
  const { input, output, transcript, sessionId, agentId } = record.value;
  return (
    episode.input === repairText(input) &&
    episode.output === repairText(output) &&
    jsonMark(episode.transcript) === jsonMark(transcript) &&
    episode.sessionId === sessionId &&
    episode.agentId === agentId &&
    (!record.dated || episode.occurredAt === at)
  );
}

/** Null and none are two things. */
function jsonMark(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(repairJson(value));
}
