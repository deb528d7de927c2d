import { FluxError } from "../model/errors.ts";
import type { Grain, GrainStatus } from "../model/grain.ts";
import type { NewJob } from "../model/job.ts";
import { groundRole, type Stored } from "../model/record.ts";
import { insert, type Mutation, type Patch, patch, remove } from "../store/batch.ts";
import { definePlan } from "../store/plan.ts";
import { derivedFrom, get } from "../store/read.ts";
import type { IndexEntry } from "../store/search.ts";
import { type DerivedRecord, derivedReads, derivedRecords, restated } from "./derived-records.ts";
import { type ExtractSource, extractionJobs } from "./extract-queue.ts";
import { indexJobs, MissingEntries } from "./index-queue.ts";
import type { Span } from "./pieces.ts";
import { type Held, type RecordKind, versionOf } from "./read-record.ts";
import { statementForm, type TakenOver, takenOver } from "./statement.ts";

/** A piece of the text as it is to be, and what the index is to hold of it. */
export interface ChangedPiece {
  /** Absent when the piece is the whole text. */
  readonly span: Span | undefined;
  /** Absent where the index stays as it is. */
  readonly made?:
    | { readonly entries: readonly IndexEntry[]; readonly missing: readonly number[] }
    | undefined;
}

export interface ChangeAside {
  readonly kind: RecordKind;
  readonly id: string;
  /** `updatedSeq` of the record as it was read; its grains come and go with its text alone. */
  readonly seen: number;
  readonly grainIds: readonly string[];
  readonly ifVersion: number | undefined;
  /** The status without which nothing is changed. */
  readonly requires: GrainStatus | undefined;
  readonly owner: Patch<"text">["value"];
  readonly grain: Patch<"grain">["value"];
  /** Absent when neither text nor index change. */
  readonly pieces: readonly ChangedPiece[] | undefined;
  /** Whether what was derived from it goes, because it says something else now. */
  readonly restated: boolean;
  /** What is to be derived from it anew. */
  readonly extract: readonly ExtractSource[];
  /** Spaces whose entries are to be made by jobs. */
  readonly unindexed: readonly number[];
  readonly now: number;
  readonly spaces: readonly number[];
}

/**
 * Changes a record and its grains. The input is a digest of what the caller gave, which tells a retry from another call;
 * what was read and made beforehand comes aside, and is refused if the record has another text by now.
 */
export const changePlan = definePlan({
  name: "flux-change",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { kind, id, grainIds }: ChangeAside) => [
    get(kind, id),
    derivedFrom(kind, id),
    ...grainIds.map((grainId) => get("grain", grainId)),
  ],
  readsNext: (_input, [, derived], { restated, owner, grain, unindexed }) => {
    const concerned = restated || unindexed.length > 0 || Object.keys(followed(owner, grain)).length > 0;
    return concerned ? derivedReads(derived) : [];
  },
  decide(_input, [owner, derived, ...rows], { aside, next, now, id }) {
    const grains = rows as readonly (Stored<Grain> | undefined)[];
    const there = grains.filter((grain) => grain !== undefined);
    if (owner?.updatedSeq !== aside.seen || there.length < grains.length) throw movedError();
    checkState(owner as Held["owner"], there, aside);
    const change = new Changes(there, aside, id);
    const records = next.length === 0 ? [] : derivedRecords(derived, next);
    const following = aside.restated
      ? restated(records, aside, now)
      : { mutations: changing(records, followed(aside.owner, aside.grain)), jobs: [] };
    const all = [...there, ...records.flatMap((record) => record.grains)].map((grain) => grain.id);
    return {
      mutations: [...change.mutations, ...following.mutations],
      jobs: [
        ...following.jobs,
        ...change.jobs(),
        ...extractionJobs(aside.extract),
        ...aside.unindexed.flatMap((space) => indexJobs(space, all)),
      ],
      ...(aside.pieces === undefined ? {} : { spaces: aside.spaces }),
    };
  },
});

/** What changes of a record that its statements have from it. */
function followed(owner: Patch<"text">["value"], { status }: Patch<"grain">["value"]): Followed {
  const taken = takenOver(owner);
  return {
    ...("metadata" in owner ? { metadata: taken.metadata } : {}),
    ...("expiresAt" in owner ? { expiresAt: taken.expiresAt } : {}),
    ...(status === undefined ? {} : { status }),
  };
}

type Followed = TakenOver & { readonly status?: GrainStatus };

/**
 * Statements are found by the same conditions as their source, and are put aside with it. Other texts may have other sources. Facts
 * expire with the last record that states them.
 */
function changing(records: readonly DerivedRecord[], { status, ...taken }: Followed): Mutation[] {
  const ofGrain = { ...taken, ...(status === undefined ? {} : { status }) };
  return records.flatMap((derived): Mutation[] => {
    const { kind, record, grains } = derived;
    if (kind === "fact" && "expiresAt" in taken) return expiring(derived, taken.expiresAt);
    if (kind !== "text" || record.form !== statementForm) return [];
    return [
      ...(Object.keys(taken).length === 0 ? [] : [patch("text", record.id, taken)]),
      ...grains.map(({ id }) => patch("grain", id, ofGrain)),
    ];
  });
}

/** What becomes of a fact when one of the records that state it expires at another moment. */
function expiring(
  { record, sources, grains }: Extract<DerivedRecord, { readonly kind: "fact" }>,
  moment: number | undefined,
): Mutation[] {
  const grounds = new Set(
    sources.flatMap(({ kind, id, role }) => (role === groundRole ? `${kind} ${id}` : [])),
  );
  // When the others expire is not known here: none is lost, and maintenance takes it with the last of them.
  const last = Math.max(moment ?? Infinity, grounds.size > 1 ? (record.expiresAt ?? Infinity) : 0);
  const expiresAt = last === Infinity ? undefined : last;
  if (expiresAt === record.expiresAt) return [];
  return [
    patch("fact", record.id, { expiresAt }),
    ...grains.map(({ id }) => patch("grain", id, { expiresAt })),
  ];
}

/** Another call changed the record after it was read: this call reads it again. */
export function movedError(): FluxError {
  return new FluxError("conflict", "The record was changed meanwhile", { retryable: true });
}

function checkState(
  owner: Held["owner"],
  grains: readonly Stored<Grain>[],
  { ifVersion, requires, owner: changes, now }: ChangeAside,
): void {
  const version = versionOf({ owner, grains });
  if (ifVersion !== undefined && version !== ifVersion) {
    throw new FluxError("conflict", "The record has another version by now", {
      hint: "Nothing was changed. Read it again, and decide anew.",
      details: { version },
    });
  }
  if (requires !== undefined && grains[0]?.status !== requires) {
    throw new FluxError("not_found", "There is nothing to undo", {
      hint: "An archive can be undone until the record is undone or erased, a purge until its window ends.",
    });
  }
  if ((changes.expiresAt ?? Infinity) <= now) {
    throw new FluxError("invalid_argument", "expiresAt must be in the future", {
      hint: "It is a moment in milliseconds since 1970, and nothing was changed. To have it go now, purge or erase it.",
    });
  }
}

class Changes {
  readonly mutations: Mutation[] = [];
  readonly #missing = new MissingEntries();
  readonly #id: (ordinal: number) => string;
  #inserted = 0;

  constructor(
    grains: readonly Stored<Grain>[],
    { kind, id, owner, grain, pieces }: ChangeAside,
    newId: (ordinal: number) => string,
  ) {
    this.#id = newId;
    if (Object.keys(owner).length > 0) this.mutations.push(patch(kind, id, owner) as Mutation);
    if (pieces === undefined) {
      for (const one of grains) this.#patch(one, grain);
      return;
    }
    const surplus = grains.slice(pieces.length);
    const mentions = surplus.reduce((sum, { mentions = 0 }) => sum + mentions, 0);
    for (const [i, { span, made }] of pieces.entries()) {
      const known = grains[i];
      const place = { start: span?.start, end: span?.end };
      if (known === undefined) this.#insert(grains[0], { ...grain, ...place }, made);
      else {
        const kept = i === 0 && mentions > 0 ? { mentions: (known.mentions ?? 0) + mentions } : {};
        this.#patch(known, { ...grain, ...place, ...kept }, made);
      }
    }
    for (const one of surplus) this.mutations.push(remove("grain", one.id));
  }

  #patch(grain: Stored<Grain>, value: Patch<"grain">["value"], made?: ChangedPiece["made"]): void {
    const changed = Object.entries(value).filter(([name, item]) => grain[name as keyof Grain] !== item);
    if (changed.length === 0 && made === undefined) return;
    this.mutations.push(patch("grain", grain.id, Object.fromEntries(changed), { index: made?.entries }));
    this.#missing.add(grain.id, made?.missing);
  }

  /** A further piece of the text; it is like the first in all that is not its own. */
  #insert(
    first: Stored<Grain> | undefined,
    value: Patch<"grain">["value"],
    made: ChangedPiece["made"],
  ): void {
    if (first === undefined) throw movedError();
    const { id: _id, seq: _seq, updatedSeq: _updated, recordedAt: _at, repaired: _repaired, ...like } = first;
    const content = Object.entries({ ...like, mentions: undefined, ...value });
    const given = content.filter(([, item]) => item !== undefined);
    this.mutations.push(insert("grain", Object.fromEntries(given) as Grain, { index: made?.entries }));
    this.#missing.add(this.#id(this.#inserted++), made?.missing);
  }

  jobs(): NewJob[] {
    return this.#missing.jobs();
  }
}
