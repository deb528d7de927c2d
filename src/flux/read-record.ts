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
);

/** Rises with every change of a record or its grains. */
export function versionOf({ owner, grains }: Pick<Held, "owner" | "grains">): number {
  return Math.max(owner.updatedSeq, ...grains.map(({ updatedSeq }) => updatedSeq));
}

/** Names a text or a message. */
export interface RecordRef {
  readonly kind: "text" | "message";
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
  const ops = [get("text", checkId(id, "id")), get("message", id), get("grain", id)] as const;
  const [text, message, grain] = await ledger.read([partition], ops, options);
  const ref = text ? { kind: "text", id } : message ? { kind: "message", id } : ownerOf(grain);
  if (ref === undefined) return undefined;
  const [held] = await readRecords(ledger, partition, [ref as RecordRef], options);
  return held;
}

/** The text or message that a grain belongs to. */
export function ownerOf(grain: Grain | undefined): RecordRef | undefined {
  if (grain === undefined) return undefined;
  const { ownerKind: kind, ownerId: id } = grain;
  return kind === "text" || kind === "message" ? { kind, id } : undefined;
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

export function noSuchRecord(): FluxError {
  return new FluxError("not_found", "There is no record with this id", {
    hint: "Give the id of a record or of one of its grains, as store, recall and list return them.",
  });
}
