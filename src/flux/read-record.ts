import type { Episode } from "../model/episode.ts";
import { FluxError } from "../model/errors.ts";
import type { Grain } from "../model/grain.ts";
import { checkId } from "../model/ids.ts";
import type { Message } from "../model/message.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";

/** A record that was stored, with all of its grains in the order of the text, as of one moment. */
export type Held = {
  readonly grains: readonly Stored<Grain>[];
} & (
  | { readonly kind: "text"; readonly owner: Stored<StoredText> }
  | { readonly kind: "message"; readonly owner: Stored<Message> }
  | { readonly kind: "episode"; readonly owner: Stored<Episode> }
);

/** Rises with every change of a record or its grains. */
export function versionOf({ owner, grains }: Pick<Held, "owner" | "grains">): number {
  return Math.max(owner.updatedSeq, ...grains.map(({ updatedSeq }) => updatedSeq));
}

/** Kinds of what callers store; an id is looked for in this order. */
export const recordKinds = ["text", "message", "episode"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** When it was said, written or happened, in milliseconds. */
export function saidAtOf(owner: Held["owner"]): number {
  if ("saidAt" in owner) return owner.saidAt;
  return "statedAt" in owner ? owner.statedAt : owner.occurredAt;
}

/** Names a text, a message or an episode. */
export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
}

/** Grains in a page of the ledger. */
const grainPage = 1000;

/** The record with an id, or to which the grain with that id belongs. Reads twice, and once more for each thousand grains. */
export async function readRecord(
  { ledger }: { readonly ledger: Ledger },
  partition: Partition,
  id: string,
  options: CallOptions,
): Promise<Held | undefined> {
  checkId(id, "id");
  const ops = [get("grain", id), ...recordKinds.map((kind) => get(kind, id))] as const;
  const [grain, ...records] = await ledger.read([partition], ops, options);
  const kind = recordKinds.find((_, i) => records[i] !== undefined);
  const ref = kind === undefined ? ownerOf(grain) : { kind, id };
  if (ref === undefined) return undefined;
  const [held] = await readRecords(ledger, partition, [ref], options);
  return held;
}

/** The text, message or episode that a grain belongs to. */
export function ownerOf(grain: Grain | undefined): RecordRef | undefined {
  if (grain === undefined) return undefined;
  const { ownerKind, ownerId: id } = grain;
  const kind = recordKinds.find((known) => known === ownerKind);
  return kind === undefined ? undefined : { kind, id };
}

/** Records with their grains, in one read; undefined for those that are not there. Texts of over a thousand grains take more. */
export async function readRecords(
  ledger: Ledger,
  partition: Partition,
  refs: readonly RecordRef[],
  options: CallOptions,
): Promise<readonly (Held | undefined)[]> {
  const rows = await ledger.read(
    [partition],
    refs.flatMap((ref) => recordReads(ref)),
    options,
  );
  return Promise.all(
    refs.map(async (ref, i): Promise<Held | undefined> => {
      const owner = rows[2 * i] as Held["owner"] | undefined;
      const { items, cursor } = rows[2 * i + 1] as GrainPage;
      if (owner === undefined) return undefined;
      if (cursor !== undefined) return readLong(ledger, partition, { ref, owner, items, cursor }, options);
      return heldOf(ref, owner, items);
    }),
  );
}

interface GrainPage {
  readonly items: readonly Stored<Grain>[];
  readonly cursor?: string;
}

function recordReads({ kind, id }: RecordRef, after?: string) {
  const grains = find("grain", { index: "byOwner", prefix: [kind, id], limit: grainPage, after });
  return [get(kind, id), grains] as const;
}

/** Goes on page by page, and begins anew where the record was changed between two of them. */
async function readLong(
  ledger: Ledger,
  partition: Partition,
  first: GrainPage & { readonly ref: RecordRef; readonly owner: Held["owner"] },
  options: CallOptions,
): Promise<Held | undefined> {
  const { ref, owner } = first;
  const grains = [...first.items];
  for (let after = first.cursor; after !== undefined; ) {
    const [now, page] = await ledger.read([partition], recordReads(ref, after), options);
    if (now?.updatedSeq !== owner.updatedSeq) {
      const [held] = await readRecords(ledger, partition, [ref], options);
      return held;
    }
    grains.push(...page.items);
    after = page.cursor;
  }
  return heldOf(ref, owner, grains);
}

function heldOf({ kind }: RecordRef, owner: Held["owner"], grains: readonly Stored<Grain>[]): Held {
  const ordered = [...grains].sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || a.seq - b.seq);
  return { kind, owner, grains: ordered } as Held;
}

/** Whether a commit was refused since what it was made for changed meanwhile: what is read anew may be written. */
export function isMoved(error: unknown): boolean {
  if (!FluxError.isInstance(error)) return false;
  return error.code === "index_changed" || (error.code === "conflict" && error.retryable);
}

export function noSuchRecord(): FluxError {
  return new FluxError("not_found", "There is no record with this id", {
    hint: "Give the id of a record or of one of its grains, as store, recall and list return them.",
  });
}
