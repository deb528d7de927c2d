import { presentOf } from "../model/clock.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { derivedId, operationKey, randomId } from "../model/ids.ts";
import type { Json } from "../model/json.ts";
import { utf8Length } from "../model/unicode.ts";
import type { Receipt } from "../store/ledger.ts";
import { maxRecordBytes } from "../store/records.ts";
import { copyItem } from "./copy-item.ts";
import { draftOf } from "./draft.ts";
import { findEchoes } from "./echoes.ts";
import { indexedText } from "./indexed-text.ts";
import type { FluxParts } from "./open-flux.ts";
import { splitPieces } from "./pieces.ts";
import { requestDigest } from "./request-digest.ts";
import type { Scope } from "./scope.ts";
import type { Draft, StoreItem, StoreResult } from "./store-items.ts";
import { type Outcome, type PreparedDraft, storePlan } from "./store-plan.ts";

const maxItems = 1000;
/** Metadata is kept with every piece of a text; this bounds what a long text with much metadata comes to. */
const maxCopiedBytes = 4 * maxRecordBytes;
/** Times that spaces may change under a call before it gives up. */
const attempts = 8;

interface Cut {
  readonly draft: Draft;
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** Stores items in one commit: checks, cuts and indexes them first, and decides in the transaction what is new. */
export async function storeItems(
  parts: FluxParts,
  scope: Scope,
  items: readonly StoreItem[],
  {
    operation = randomId(parts.randomness),
    signal,
  }: { readonly operation?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<readonly StoreResult[]> {
  const given = copyItems(items);
  const drafts = checkItems(given, scope);
  signal?.throwIfAborted();
  if (drafts.length === 0) return [];
  const cuts = drafts.map((draft): Cut => ({ draft, spans: splitPieces(contentOf(draft)) }));
  checkCopies(cuts);
  const input = { request: requestDigest(scope, given) };
  const now = presentOf(parts.clock);
  const echoes = await echoesOf(parts, scope, drafts, signal);
  for (let attempt = 1; ; attempt++) {
    const { prepared, spaces } = await prepare(parts, cuts, { echoes, now, signal });
    const active = parts.indexes.spaces.filter(({ state }) => state === "active").map(({ id }) => id);
    try {
      const receipt = await parts.ledger.update(
        scope.partition,
        { operation, plan: storePlan, input, aside: { drafts: prepared, now, spaces, active } },
        { signal },
      );
      return resultsOf(receipt, operationKey(scope.partition, operation), cuts);
    } catch (error) {
      if (!FluxError.isInstance(error) || error.code !== "index_changed" || attempt === attempts) throw error;
      await parts.indexes.refresh({ signal });
    }
  }
}

function copyItems(items: readonly StoreItem[]): readonly StoreItem[] {
  if (!Array.isArray(items))
    throw new FluxTypeError("invalid_argument", `items must be a list, not ${describe(items)}`);
  if (items.length > maxItems) {
    throw new FluxError("too_large", `A batch has at most ${maxItems} items`, {
      hint: "A batch is one commit: store several, each with an operation id of its own.",
    });
  }
  return Array.from(items, copyItem);
}

function checkItems(items: readonly StoreItem[], scope: Scope): readonly Draft[] {
  const drafts = items.map((item) => draftOf(item, scope));
  const bytes = drafts.reduce((sum, draft) => sum + utf8Length(contentOf(draft)), 0);
  if (bytes > maxRecordBytes) throw tooLarge();
  return drafts;
}

function contentOf({ record }: Draft): string {
  return record.value.content;
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
  const found = await findEchoes(parts, scope.partition, asked.map(contentOf), { signal });
  return new Map(
    asked.flatMap((draft, i) => {
      const grainId = found[i];
      return grainId === undefined ? [] : [[draft, grainId] as const];
    }),
  );
}

async function prepare(
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
  const texts = cuts.flatMap(({ draft: { record, grain, at = now }, spans }) =>
    spans.map((span) => indexedText({ ...grain, saidAt: at, ...span }, record.kind, record.value)),
  );
  const { entries, missing, spaces } = await indexes.make(texts, signal);
  let next = 0;
  const prepared = cuts.map(({ draft, spans }): PreparedDraft => {
    const pieces = spans.map((span) => {
      const place = next++;
      return {
        span: spans.length === 1 ? undefined : span,
        entries: entries[place] ?? [],
        missing: missing[place] ?? [],
      };
    });
    return { ...draft, at: draft.at ?? now, pieces, echo: echoes.get(draft) };
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
    if (typeof outcome[0] === "string") {
      const [kind, id, grainId] = outcome as Extract<Outcome, readonly [string, ...unknown[]]>;
      return { id, kind, grainIds: [grainId], status: "mentioned", indexed: "now", ...retry };
    }
    const [grains, late] = outcome as Extract<Outcome, readonly [number, ...unknown[]]>;
    const id = derivedId(key, ordinal++);
    const grainIds = Array.from({ length: grains }, () => derivedId(key, ordinal++));
    const kind = cuts[i]?.draft.record.kind ?? "text";
    return { id, kind, grainIds, status: "stored", indexed: late === 1 ? "later" : "now", ...retry };
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
