import type { Grain, GrainStatus } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import { type OwnerRecords, ownerText } from "../recall/owner-text.ts";
import { find, get, type Page } from "../store/read.ts";
import type { SourceText } from "./extract-sources.ts";
import type { RecordKind } from "./read-record.ts";
import { type TakenOver, takenOver } from "./statement.ts";
import type { Draft } from "./store-items.ts";
import { type PreparedDraft, StoreBatch, staysUntil, textsOfKey } from "./store-plan.ts";

type Found = readonly [
  owner: SourceText["record"] | undefined,
  grains: Page<Stored<Grain>>,
  same: Page<Stored<StoredText>>,
];

/** The reads by which {@link decideStatements} decides. */
export function statementReads(drafts: readonly PreparedDraft[]) {
  return drafts.flatMap((draft) => {
    const { kind, id } = sourceOf(draft);
    return [
      get(kind, id),
      find("grain", { index: "byOwner", prefix: [kind, id], limit: 1 }),
      textsOfKey(keyOf(draft)),
    ];
  });
}

/**
 * Stores statements whose sources still say what they were derived from, with what they take over and the status as these are in
 * the commit: a model takes its time. One that is there already is left as it is.
 *
 * @param active spaces that are searched now
 */
export function decideStatements(
  drafts: readonly PreparedDraft[],
  rows: readonly unknown[],
  { active, id }: { readonly active: readonly number[]; readonly id: (ordinal: number) => string },
): StoreBatch {
  const batch = new StoreBatch(id);
  for (const [i, draft] of drafts.entries()) {
    const [owner, grains, same] = rows.slice(3 * i, 3 * i + 3) as unknown as Found;
    const [grain] = grains.items;
    const { kind, start, end } = sourceOf(draft);
    if (owner === undefined || grain === undefined) continue;
    if (textOf(kind, owner).slice(start, end) !== draft.said) continue;
    const taken = takenOver(owner);
    if (same.items.some((text) => staysUntil(text, taken.expiresAt))) continue;
    batch.insertNew(asOf(draft, taken, grain.status), active);
  }
  return batch;
}

/** A statement has one source. */
function sourceOf({ sources: [source] = [] }: PreparedDraft): SourceText["source"] {
  return source as SourceText["source"];
}

function textOf(kind: RecordKind, owner: SourceText["record"]): string {
  return ownerText(kind, owner as OwnerRecords[typeof kind]);
}

function keyOf({ record: { value } }: PreparedDraft): string | null {
  return "contentKey" in value ? (value.contentKey ?? null) : null;
}

function asOf(draft: PreparedDraft, taken: TakenOver, status: GrainStatus): PreparedDraft {
  const { record, grain } = draft;
  return {
    ...draft,
    record: { ...record, value: { ...record.value, ...taken } } as Draft["record"],
    grain: { ...grain, ...taken },
    restored: { status, mentions: 0, nth: 1 },
  };
}
