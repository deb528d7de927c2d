import { presentOf } from "../model/clock.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { derivedId, operationKey, randomId } from "../model/ids.ts";
import type { NewJob } from "../model/job.ts";
import type { Json } from "../model/json.ts";
import type { Partition } from "../model/partition.ts";
import type { Source } from "../model/record.ts";
import { utf8Length } from "../model/unicode.ts";
import { ownerText } from "../recall/owner-text.ts";
import type { JobLease, Receipt } from "../store/ledger.ts";
import type { Plan } from "../store/plan.ts";
import type { ReadOp } from "../store/read.ts";
import { maxRecordBytes } from "../store/records.ts";
import { copyItem } from "./copy-item.ts";
import { draftOf } from "./draft.ts";
import { findEchoes } from "./echoes.ts";
import { readersOf } from "./extract-gate.ts";
import { extractQueue } from "./extract-queue.ts";
import { extractorUnavailable } from "./extraction.ts";
import type { FluxDegradation } from "./flux.ts";
import type { WriteOptions } from "./flux-memory.ts";
import { indexedText } from "./indexed-text.ts";
import { givenIds, type SeenGrains } from "./known-episodes.ts";
import type { FluxParts } from "./open-flux.ts";
import { type Piece, splitPieces, splitSides } from "./pieces.ts";
import { isMoved, readRecords } from "./read-record.ts";
import { requestDigest } from "./request-digest.ts";
import type { Scope } from "./scope.ts";
import type { Draft, StoreItem, StoreResult } from "./store-items.ts";
import { type Outcome, type PreparedDraft, type Restored, type StoreAside, storePlan } from "./store-plan.ts";

const maxItems = 1000;
/** Metadata is kept with every piece of a text; this bounds what a long text with much metadata comes to. */
const maxCopiedBytes = 4 * maxRecordBytes;
/** Times that spaces may change under a call before it gives up. */
const attempts = 8;

export interface Cut {
  readonly draft: Draft;
  readonly text: string;
  readonly spans: readonly Piece[];
  readonly queues?: PreparedDraft["queues"];
  readonly unread?: PreparedDraft["unread"];
  readonly sources?: readonly Source[] | undefined;
  readonly said?: string | undefined;
  readonly restored?: Restored | undefined;
}

/** One commit of drafts. */
interface DraftCommit {
  /** Decides what is new. Default: as `storeBatch` does. */
  readonly plan?: Plan<DraftCommit["input"], readonly ReadOp[], Json, StoreAside, readonly ReadOp[]>;
  readonly operation: string;
  readonly input: { readonly request: string };
  readonly cuts: readonly Cut[];
  readonly echoes: ReadonlyMap<Draft, string>;
  readonly now: number;
  /** Further jobs. */
  readonly jobs?: readonly NewJob[];
  /** The job that it completes. */
  readonly job?: JobLease;
  readonly signal: AbortSignal | undefined;
}

/**
 * Stores items in one commit: checks, cuts and indexes them first, and decides in the transaction what is new.
 *
 * @param given as of `copyItems`
 */
export async function storeItems(
  parts: FluxParts,
  scope: Scope,
  given: readonly StoreItem[],
  { operation = randomId(parts.randomness), signal }: WriteOptions,
): Promise<readonly StoreResult[]> {
  const drafts = given.map((item) => draftOf(item, scope));
  checkIds(drafts);
  signal?.throwIfAborted();
  if (drafts.length === 0) return [];
  const cuts = cutDrafts(parts, drafts);
  const input = { request: requestDigest(scope, given) };
  const now = presentOf(parts.clock);
  const echoes = await echoesOf(parts, scope, drafts, signal);
  const request = { operation, input, cuts, echoes, now, signal };
  const receipt = await commitDrafts(parts, scope.partition, request);
  const results = resultsOf(receipt, operationKey(scope.partition, operation), cuts);
  return withoutExtractor(receipt, results, parts);
}

/**
 * Cuts drafts of one commit, and says who is to derive from them.
 *
 * @throws FluxError `too_large`
 */
export function cutDrafts(parts: FluxParts, drafts: readonly Draft[]): readonly Cut[] {
  const bytes = drafts.reduce((sum, draft) => sum + utf8Length(textOf(draft)), 0);
  if (bytes > maxRecordBytes) throw tooLarge();
  const absent = parts.extraction?.ask()?.available === false;
  const cuts = drafts.map((draft): Cut => {
    const readers = readersOf(parts, draft);
    const queues = absent ? readers.filter((queue) => queue !== extractQueue) : readers;
    return { ...cutDraft(draft), queues, unread: queues.length < readers.length };
  });
  checkCopies(cuts);
  return cuts;
}

export function cutDraft(draft: Draft): Pick<Cut, "draft" | "text" | "spans"> {
  const { record } = draft;
  const text = textOf(draft);
  return { draft, text, spans: record.kind === "episode" ? splitSides(record.value) : splitPieces(text) };
}

/**
 * Makes the entries of drafts and commits them, anew where the spaces changed meanwhile, or an episode that is to be replaced has
 * more grains than were looked at.
 */
export async function commitDrafts(
  parts: FluxParts,
  partition: Partition,
  { plan = storePlan, operation, input, cuts, echoes, now, jobs, job, signal }: DraftCommit,
): Promise<Receipt<Json>> {
  let seen: readonly SeenGrains[] = [];
  for (let attempt = 1; ; attempt++) {
    const { prepared, spaces } = await prepareDrafts(parts, cuts, { echoes, now, signal });
    const active = parts.indexes.spaces.filter(({ state }) => state === "active").map(({ id }) => id);
    const aside = { drafts: prepared, now, spaces, active, jobs, seen };
    try {
      return await parts.ledger.update(partition, { operation, plan, input, aside, job }, { signal });
    } catch (error) {
      if (attempt === attempts || !isMoved(error)) throw error;
      await parts.indexes.refresh({ signal });
      seen = await grainsOf(parts, partition, givenIds(prepared), signal);
    }
  }
}

/** Copies of what a call was given. @throws FluxTypeError or FluxError `invalid_argument`, `invalid_metadata`, `too_large` */
export function copyItems(items: readonly StoreItem[]): readonly StoreItem[] {
  if (!Array.isArray(items))
    throw new FluxTypeError("invalid_argument", `items must be a list, not ${describe(items)}`);
  if (items.length > maxItems) {
    throw new FluxError("too_large", `A batch has at most ${maxItems} items`, {
      hint: "A batch is one commit: store several, each with an operation id of its own.",
    });
  }
  return Array.from(items, copyItem);
}

/** All grains of the episodes with these ids that are there. */
async function grainsOf(
  { ledger }: FluxParts,
  partition: Partition,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly SeenGrains[]> {
  const refs = ids.map((id) => ({ kind: "episode", id }) as const);
  const held = await readRecords(ledger, partition, refs, { signal });
  return held.flatMap((one) =>
    one === undefined
      ? []
      : [{ id: one.owner.id, seen: one.owner.updatedSeq, grainIds: one.grains.map(({ id }) => id) }],
  );
}

/** Within a commit there is no order in which one episode would replace another. */
function checkIds(drafts: readonly Draft[]): void {
  const episodes = drafts.filter(({ record }) => record.kind === "episode" && record.id !== undefined);
  if (givenIds(drafts).length === episodes.length) return;
  throw new FluxError("invalid_argument", "Two episodes of a batch have the same id");
}

function textOf({ record }: Draft): string {
  return ownerText(record.kind, record.value);
}

function checkCopies(cuts: readonly Cut[]): void {
  let bytes = 0;
  for (const { draft, spans } of cuts) bytes += spans.length * utf8Length(JSON.stringify(draft.grain));
  if (bytes > maxCopiedBytes) throw tooLarge();
}

function tooLarge(): FluxError {
  return new FluxError("too_large", `A batch has at most ${maxRecordBytes} bytes of text`, {
    hint: "Store it in parts, and give long texts little metadata, which is kept with each of their pieces.",
  });
}

/** Texts that may have been recalled before they were stored: all but those that the user himself states. */
async function echoesOf(
  parts: FluxParts,
  scope: Scope,
  drafts: readonly Draft[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Draft, string>> {
  const asked = drafts.filter(
    ({ record }) => record.kind === "text" && record.value.provenance !== "user_stated",
  );
  const found = await findEchoes(parts, scope.partition, asked.map(textOf), { signal });
  return new Map(
    asked.flatMap((draft, i) => {
      const grainId = found[i];
      return grainId === undefined ? [] : [[draft, grainId] as const];
    }),
  );
}

/** Makes the entries of drafts. */
export async function prepareDrafts(
  { indexes }: FluxParts,
  cuts: readonly Cut[],
  {
    echoes,
    now,
    signal,
  }: {
    readonly echoes: ReadonlyMap<Draft, string>;
    readonly now: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly prepared: readonly PreparedDraft[]; readonly spaces: readonly number[] }> {
  const texts = cuts.flatMap(({ draft: { grain, at = now }, text, spans }) =>
    spans.map((span) => indexedText({ ...grain, saidAt: at, ...span }, text)),
  );
  const { entries, missing, spaces } = await indexes.make(texts, signal);
  let next = 0;
  const prepared = cuts.map(({ draft, text: _, spans, ...rest }): PreparedDraft => {
    const pieces = spans.map(({ start, end, provenance }) => {
      const place = next++;
      return {
        span: spans.length === 1 ? undefined : { start, end },
        provenance,
        entries: entries[place] ?? [],
        missing: missing[place] ?? [],
      };
    });
    return { ...draft, at: draft.at ?? now, pieces, echo: echoes.get(draft), ...rest };
  });
  return { prepared, spaces };
}

/** Results from the receipt alone, so that a retry has the same. */
function resultsOf(
  { result, ids, compared }: Receipt<Json>,
  key: string,
  cuts: readonly Cut[],
): readonly StoreResult[] {
  let ordinal = 0;
  const retry = compared ? {} : ({ compared: false } as const);
  return outcomesOf(result, ids.length, cuts).map((outcome, i): StoreResult => {
    const record = cuts[i]?.draft.record;
    const given = record?.kind === "episode" ? record.id : undefined;
    if (outcome.length === 1)
      return {
        id: given ?? "",
        kind: "episode",
        grainIds: [],
        status: "unchanged",
        indexed: "now",
        ...retry,
      };
    if (isMention(outcome)) {
      const [kind, id, grainId] = outcome;
      return { id, kind, grainIds: [grainId], status: "mentioned", indexed: "now", ...retry };
    }
    const [grains, late, , status = "stored"] = outcome;
    // What replaces another is not inserted, and so has no place among the ids of the operation.
    const own = status === "stored" ? derivedId(key, ordinal++) : "";
    const grainIds = Array.from({ length: grains }, () => derivedId(key, ordinal++));
    const indexed = late === 1 ? "later" : "now";
    return { id: given ?? own, kind: record?.kind ?? "text", grainIds, status, indexed, ...retry };
  });
}

function isMention(outcome: Outcome): outcome is Extract<Outcome, readonly [string, string, string]> {
  return typeof outcome[0] === "string";
}

/** Says of what no statements are derived from why that is so, as far as it is still known at a retry. */
function withoutExtractor(
  { result }: Receipt<Json>,
  results: readonly StoreResult[],
  { extraction }: FluxParts,
): readonly StoreResult[] {
  const outcomes = Array.isArray(result) ? (result as unknown as readonly Outcome[]) : [];
  const { cause } = extraction?.availability ?? {};
  const degraded: readonly FluxDegradation[] = [
    { ...extractorUnavailable, ...(cause === undefined ? {} : { cause }) },
  ];
  return results.map((one, i) => {
    const outcome = outcomes[i] ?? [];
    return typeof outcome[0] === "number" && outcome[2] === 1 ? { ...one, degraded } : one;
  });
}

/** An erasure takes the results of earlier operations; without mentions they can be told from the number of records. */
function outcomesOf(result: Json | undefined, inserted: number, cuts: readonly Cut[]): readonly Outcome[] {
  if (Array.isArray(result)) return result as unknown as readonly Outcome[];
  const outcomes = cuts.map(({ spans }): Outcome => [spans.length, 0]);
  if (inserted === cuts.reduce((sum, { spans }) => sum + 1 + spans.length, 0)) return outcomes;
  throw new FluxError("erased", "This operation was done before, and an erasure since then took its result", {
    hint: "Nothing was written again. Look for what it stored with recall.",
  });
}
