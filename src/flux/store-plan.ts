import { FluxError } from "../model/errors.ts";
import type { Grain, GrainStatus } from "../model/grain.ts";
import type { NewJob } from "../model/job.ts";
import type { Json } from "../model/json.ts";
import type { Provenance, Source, Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import { ownerText } from "../recall/owner-text.ts";
import { insert, type Mutation, patch, remove } from "../store/batch.ts";
import { type Decision, definePlan } from "../store/plan.ts";
import { find, get, type Page } from "../store/read.ts";
import type { Kinds } from "../store/schema.ts";
import type { IndexEntry } from "../store/search.ts";
import { movedError } from "./change-plan.ts";
import { restated } from "./derived-records.ts";
import { timeOf } from "./draft.ts";
import { type ExtractionQueue, type ExtractSource, extractionJobs } from "./extract-queue.ts";
import { MissingEntries } from "./index-queue.ts";
import {
  episodeReads,
  type KnownEpisode,
  knownEpisodes,
  type Replaced,
  readsOfReplaced,
  replacedEpisodes,
  type SeenGrains,
  whatGoes,
} from "./known-episodes.ts";
import type { Span } from "./pieces.ts";
import type { Draft } from "./store-items.ts";

/** A draft with all that was made of it before the transaction. */
export interface PreparedDraft extends Draft {
  /** Also the moment whose words its entries hold. */
  readonly at: number;
  readonly pieces: readonly {
    /** Absent when the piece is the whole text. */
    readonly span?: Span | undefined;
    /** Where it is another one than that of the whole. */
    readonly provenance?: Provenance | undefined;
    readonly entries: readonly IndexEntry[];
    /** Spaces whose entry is to be made by a job. */
    readonly missing: readonly number[];
  }[];
  /** The grain that a recent recall returned with this text. */
  readonly echo: string | undefined;
  /** Who is to derive from it. */
  readonly queues?: readonly ExtractionQueue[] | undefined;
  /** Whether a model is to, but does not answer. */
  readonly unread?: boolean | undefined;
  /** What it was derived from. */
  readonly sources?: readonly Source[] | undefined;
  /** Of a statement: what its source said, as a model was shown it. */
  readonly said?: string | undefined;
  /** What became of it before it was exported. */
  readonly restored?: Restored | undefined;
}

export interface Restored {
  readonly status: GrainStatus;
  readonly mentions: number;
  /** Of a message or an episode: how many of those before it in the import are the same, itself included. */
  readonly nth: number;
}

export interface StoreAside {
  readonly drafts: readonly PreparedDraft[];
  /** What the clock said when the call began; record time may be ahead of it, when the clock was set back. */
  readonly now: number;
  readonly spaces: readonly number[];
  /** Those that are searched now. */
  readonly active: readonly number[];
  /** Further jobs. */
  readonly jobs?: readonly NewJob[] | undefined;
  /** Of episodes that are there and have very many grains. */
  readonly seen?: readonly SeenGrains[] | undefined;
}

/**
 * Of a new record, and of one that was replaced: its number of grains, 1 if some of them are indexed later, 1 if no statements are
 * derived since the model does not answer, and whether it was replaced. Of a mention: owner's kind and id, grain, and whether it is
 * archived though it was stored again. Of an episode that is there: that it is unchanged.
 */
export type Outcome =
  | readonly [number, 0 | 1, (0 | 1)?, "replaced"?]
  | readonly [Grain["ownerKind"], string, string, "archived"?]
  | readonly ["unchanged"];

/** Texts with the same key that are looked at: those with another time to live do not count. */
const candidates = 16;

/** The read of those texts, the latest first. */
export function textsOfKey(key: string | null = null) {
  return find("text", { index: "byContent", prefix: [key], reverse: true, limit: candidates });
}

/**
 * Stores texts, messages and episodes. Inside the transaction it decides which of them are there already. The input is a digest of what
 * the caller gave, which tells a retry from another call; what was made of that comes aside.
 */
export const storePlan = definePlan({
  name: "flux-store",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { drafts }: StoreAside) => [
    ...drafts.flatMap(({ echo }) => (echo === undefined ? [] : [get("grain", echo)])),
    ...drafts.flatMap(({ record }) => (record.kind === "text" ? [textsOfKey(record.value.contentKey)] : [])),
    ...episodeReads(drafts),
  ],
  readsNext: (_input, found, aside) => {
    const { rows, replaced } = partsOf(found, aside);
    return [
      ...sameTexts(aside.drafts, rows).flatMap((text) =>
        text === undefined ? [] : [find("grain", { index: "byOwner", prefix: ["text", text.id], limit: 1 })],
      ),
      ...echoedGrains(rows).map(({ ownerKind, ownerId }) => get(ownerKind, ownerId)),
      ...readsOfReplaced(replaced),
    ];
  },
  decide(_input, found, { aside, next: foundNext, now: recordedAt, id }): Decision<Json> {
    const { drafts, now, spaces, active, jobs = [] } = aside;
    if (drafts.some(({ record }) => (record.value.expiresAt ?? Infinity) <= now)) throw expired();
    const { rows, known, replaced } = partsOf(found, aside);
    const behind = foundNext.length - readsOfReplaced(replaced).length;
    const next = foundNext.slice(0, behind) as readonly NextRow[];
    const going = whatGoes(replaced, foundNext.slice(behind), aside.seen);
    const firstGrains = next.flatMap((row) => (isPage(row) ? [row.items[0]] : []));
    const owners = next.filter((row) => !isPage(row));
    const echoes = new Map(echoedGrains(rows).map((grain, i) => [grain.id, { grain, owner: owners[i] }]));
    const same = sameTexts(drafts, rows).map((text) =>
      text === undefined ? undefined : firstGrains.shift(),
    );
    const batch = new StoreBatch(id);
    const outcomes = drafts.map((draft, i): Outcome => {
      const { record } = draft;
      const there = record.kind === "episode" ? known.get(record.id ?? "") : undefined;
      if (there !== undefined) {
        const { id } = there.episode;
        const goes = going.get(id);
        return goes === undefined
          ? ["unchanged"]
          : batch.replace(draft, id, goes, { active, now: recordedAt });
      }
      const { expiresAt } = record.value;
      const echo = echoes.get(draft.echo ?? "");
      const stays = staysUntil(echo?.owner, expiresAt) && staysUntil(echo?.grain, expiresAt);
      return batch.add(draft, stays ? echo?.grain : same[i], active);
    });
    return {
      mutations: batch.mutations(),
      jobs: [...batch.jobs(), ...jobs],
      spaces,
      result: outcomes as unknown as Json,
    };
  },
});

type Row = Stored<Grain> | Page<Stored<StoredText>> | undefined;
type NextRow = Page<Stored<Grain>> | Stored<Kinds[Grain["ownerKind"]]> | undefined;

/** The rows of texts and echoes, and what is known of episodes from those behind them. */
function partsOf(
  found: readonly unknown[],
  { drafts }: StoreAside,
): {
  readonly rows: readonly Row[];
  readonly known: ReadonlyMap<string, KnownEpisode>;
  readonly replaced: readonly KnownEpisode[];
} {
  const behind = found.length - episodeReads(drafts).length;
  const known = knownEpisodes(drafts, found.slice(behind));
  return {
    rows: found.slice(0, behind) as readonly Row[],
    ...{ known, replaced: replacedEpisodes(drafts, known) },
  };
}

function isPage<T>(row: T): row is Extract<T, Page<unknown>> {
  return typeof row === "object" && row !== null && "items" in row;
}

function echoedGrains(rows: readonly Row[]): Stored<Grain>[] {
  return rows.filter((row): row is Stored<Grain> => row !== undefined && !isPage(row));
}

/** Thrown here, where a retry of what was stored before it expired does not come. */
function expired(): FluxError {
  return new FluxError("invalid_argument", "expiresAt must be in the future", {
    hint: "It is a moment in milliseconds since 1970, and nothing was stored.",
  });
}

/** Whether a record is there, and stays at least as long as one that expires at that time. */
export function staysUntil(record: object | undefined, expiresAt: number | undefined): boolean {
  if (record === undefined) return false;
  const { expiresAt: end } = record as { readonly expiresAt?: number | undefined };
  return end === undefined || end >= (expiresAt ?? Number.POSITIVE_INFINITY);
}

/** For each draft, the stored text that says the same and stays at least as long. */
function sameTexts(
  drafts: readonly PreparedDraft[],
  rows: readonly Row[],
): (Stored<StoredText> | undefined)[] {
  const pages = rows.filter(isPage);
  return drafts.map(({ record }) => {
    if (record.kind !== "text") return undefined;
    return pages.shift()?.items.find((text) => staysUntil(text, record.value.expiresAt));
  });
}

/** The mutations of one call, as they are decided item by item. */
export class StoreBatch {
  readonly #id: (ordinal: number) => string;
  readonly #inserts: {
    readonly kind: "message" | "text" | "episode" | "grain";
    readonly value: unknown;
    readonly id?: string | undefined;
    readonly index?: readonly IndexEntry[];
    readonly sources?: readonly Source[] | undefined;
  }[] = [];
  readonly #mentions = new Map<string, number>();
  readonly #replacements: Mutation[] = [];
  readonly #rederived: NewJob[] = [];
  readonly #stored = new Map<
    string,
    {
      readonly outcome: Outcome;
      readonly expiresAt: number | undefined;
      readonly grain: { mentions?: number | undefined };
    }
  >();
  readonly #missing = new MissingEntries();
  readonly #extracted: ExtractSource[] = [];

  constructor(id: (ordinal: number) => string) {
    this.#id = id;
  }

  /** Adds a draft, or a mention to the grain that says the same. */
  add(draft: PreparedDraft, known: Stored<Grain> | undefined, active: readonly number[]): Outcome {
    if (known === undefined) return this.insertNew(draft, active);
    this.#mentions.set(known.id, (this.#mentions.get(known.id) ?? known.mentions ?? 0) + 1);
    const mention = [known.ownerKind, known.ownerId, known.id] as const;
    // What merely came back from a recall was not said again.
    return known.status === "archived" && known.id !== draft.echo ? [...mention, "archived"] : mention;
  }

  /** Adds a draft that is not there yet, unless it is among those that were added before. */
  insertNew(draft: PreparedDraft, active: readonly number[]): Outcome {
    if (draft.record.kind === "text") {
      const { contentKey = "", expiresAt } = draft.record.value;
      const before = this.#stored.get(contentKey);
      if (before !== undefined && (before.expiresAt ?? Infinity) >= (expiresAt ?? Infinity)) {
        before.grain.mentions = (before.grain.mentions ?? 0) + 1;
        return before.outcome;
      }
    }
    return this.#insert(draft, active);
  }

  /** Puts a draft in the place of an episode that says something else, of which nothing stays but its id. */
  replace(
    draft: PreparedDraft,
    id: string,
    { grainIds, derived }: Replaced,
    { active, now }: { readonly active: readonly number[]; readonly now: number },
  ): Outcome {
    if (grainIds === undefined) throw movedError();
    const { at, record } = draft;
    const optional = { sessionId: undefined, agentId: undefined, transcript: undefined };
    const whole = { ...optional, metadata: undefined, expiresAt: undefined, ...record.value, occurredAt: at };
    const { mutations, jobs } = restated(derived, { kind: "episode", id }, now);
    this.#replacements.push(
      patch("episode", id, whole),
      ...grainIds.map((grainId) => remove("grain", grainId)),
      ...mutations,
    );
    this.#rederived.push(...jobs);
    const [grains, late, unread = 0] = this.#insertGrains(draft, id, active);
    return [grains, late, unread, "replaced"];
  }

  #insert(draft: PreparedDraft, active: readonly number[]): Outcome {
    const { record, at, sources } = draft;
    const { kind, value } = record;
    const id = record.kind === "episode" ? record.id : undefined;
    const ownerId = id ?? this.#id(this.#inserts.length);
    this.#inserts.push({ kind, value: { ...value, [timeOf[kind]]: at }, id, sources });
    return this.#insertGrains(draft, ownerId, active);
  }

  #insertGrains(
    draft: PreparedDraft,
    ownerId: string,
    active: readonly number[],
  ): readonly [number, 0 | 1, 1?] {
    const { record, at, grain, pieces, queues = [], unread = false, restored } = draft;
    const { kind, value } = record;
    const { sessionId, agentId } = value;
    const units = ownerText(kind, value).length;
    if (queues.length > 0) this.#extracted.push({ kind, id: ownerId, units, sessionId, agentId, queues });
    let late: 0 | 1 = 0;
    for (const [i, { span, provenance = grain.provenance, entries, missing }] of pieces.entries()) {
      const grainId = this.#id(this.#inserts.length);
      const { status = "active", mentions = 0 } = restored ?? {};
      const said = i === 0 && mentions > 0 ? { mentions } : {};
      const own = { ...span, ...said, provenance, status, saidAt: at };
      const content = { ...grain, ...own, ownerKind: kind, ownerId };
      this.#inserts.push({ kind: "grain", value: content, index: entries });
      this.#missing.add(grainId, missing);
      if (missing.some((space) => active.includes(space))) late = 1;
      if (i === 0 && record.kind === "text") {
        const { contentKey = "", expiresAt } = record.value;
        this.#stored.set(contentKey, { outcome: ["text", ownerId, grainId], expiresAt, grain: content });
      }
    }
    return unread ? [pieces.length, late, 1] : [pieces.length, late];
  }

  mutations(): Mutation[] {
    return [
      ...this.#inserts.map(
        ({ kind, value, id, index, sources }) =>
          insert(kind, value as never, { id, index, sources }) as Mutation,
      ),
      ...this.#replacements,
      ...[...this.#mentions].map(([grainId, mentions]) => patch("grain", grainId, { mentions })),
    ];
  }

  jobs(): NewJob[] {
    return [...this.#rederived, ...this.#missing.jobs(), ...extractionJobs(this.#extracted)];
  }
}
