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
}

/** What goes with what an episode said, when it is replaced. */
export interface Replaced {
  /** Undefined where they are more than a page, and were not read before or changed since. */
  readonly grainIds: readonly string[] | undefined;
  readonly derived: readonly DerivedRecord[];
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
  return givenIds(drafts).flatMap((id) => [get("episode", id), derivedFrom("episode", id)]);
}

/** Those that are there, from the rows of {@link episodeReads}, by id. */
export function knownEpisodes(
  drafts: readonly PreparedDraft[],
  rows: readonly unknown[],
): ReadonlyMap<string, KnownEpisode> {
  const known = givenIds(drafts).flatMap((id, i) => {
    const episode = rows[2 * i] as Stored<Episode> | undefined;
    const derived = rows[2 * i + 1] as KnownEpisode["derived"];
    return episode === undefined ? [] : [[id, { episode, derived }] as const];
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

/** The further reads of a plan by which {@link whatGoes} knows what goes with them. */
export function readsOfReplaced(replaced: readonly KnownEpisode[]) {
  return replaced.flatMap(({ episode: { id }, derived }) => [
    find("grain", { index: "byOwner", prefix: ["episode", id], limit: grainPage }),
    ...derivedReads(derived),
  ]);
}

/** What goes with each of them, from the rows of {@link readsOfReplaced}, by id of the episode. */
export function whatGoes(
  replaced: readonly KnownEpisode[],
  rows: readonly unknown[],
  seen: readonly SeenGrains[] = [],
): ReadonlyMap<string, Replaced> {
  let place = 0;
  return new Map(
    replaced.map(({ episode: { id, updatedSeq }, derived }) => {
      const { items, cursor } = rows[place++] as Page<Stored<Grain>>;
      const before = seen.find((one) => one.id === id && one.seen === updatedSeq);
      const grainIds = cursor === undefined ? items.map((grain) => grain.id) : before?.grainIds;
      const own = rows.slice(place, place + derivedReads(derived).length);
      place += own.length;
      return [id, { grainIds, derived: derivedRecords(derived, own) }];
    }),
  );
}

/** Whether an episode says what a draft would have it say, with the same labels and, if the caller said when, at the same time. */
function saysTheSame({ record, at }: PreparedDraft, episode: Stored<Episode>): boolean {
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
