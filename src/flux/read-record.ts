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

/** A record that was stored, with all of its grains in the order of the text. */
export type Held = {
  readonly grains: readonly Stored<Grain>[];
} & (
  | { readonly kind: "text"; readonly owner: Stored<StoredText> }
  | { readonly kind: "message"; readonly owner: Stored<Message> }
);

/** A record without its grains. */
export type Owner = { [K in Held["kind"]]: Omit<Extract<Held, { kind: K }>, "grains"> }[Held["kind"]];

/** Grains in a page of the ledger. */
const grainPage = 1000;

/** The record with an id, or to which the grain with that id belongs. Three reads at most for a text of a usual length. */
export async function readRecord(
  { ledger }: { readonly ledger: Ledger },
  partition: Partition,
  id: string,
  options: CallOptions,
): Promise<Held | undefined> {
  const [text, message, grain] = await ledger.read(
    [partition],
    [get("text", checkId(id, "id")), get("message", id), get("grain", id)],
    options,
  );
  const owner = ownerOf(text, message) ?? (await ownerOfGrain(ledger, partition, grain, options));
  if (owner === undefined) return undefined;
  const [held] = await withGrains(ledger, partition, [owner], options);
  return held;
}

async function ownerOfGrain(
  ledger: Ledger,
  partition: Partition,
  grain: Grain | undefined,
  options: CallOptions,
): Promise<Owner | undefined> {
  if (grain === undefined) return undefined;
  const ops = [get("text", grain.ownerId), get("message", grain.ownerId)] as const;
  const [text, message] = await ledger.read([partition], ops, options);
  return grain.ownerKind === "text" ? ownerOf(text, undefined) : ownerOf(undefined, message);
}

function ownerOf(
  text: Stored<StoredText> | undefined,
  message: Stored<Message> | undefined,
): Owner | undefined {
  if (text !== undefined) return { kind: "text", owner: text };
  return message === undefined ? undefined : { kind: "message", owner: message };
}

/** Records with their grains: one read, and one more for each thousand grains of a long text. */
export async function withGrains(
  ledger: Ledger,
  partition: Partition,
  owners: readonly Owner[],
  options: CallOptions,
): Promise<readonly Held[]> {
  const grains = owners.map((): Stored<Grain>[] => []);
  let open = owners.map((_owner, i) => ({ i, after: undefined as string | undefined }));
  while (open.length > 0) {
    const pages = await ledger.read(
      [partition],
      open.map(({ i, after }) => {
        const { kind, owner } = owners[i] as Owner;
        return find("grain", { index: "byOwner", prefix: [kind, owner.id], limit: grainPage, after });
      }),
      options,
    );
    open = open.flatMap(({ i }, place) => {
      const { items = [], cursor } = pages[place] ?? {};
      grains[i]?.push(...items);
      return cursor === undefined ? [] : [{ i, after: cursor }];
    });
  }
  return owners.map((owner, i): Held => ({ ...owner, grains: inTextOrder(grains[i] ?? []) }));
}

function inTextOrder(grains: readonly Stored<Grain>[]): readonly Stored<Grain>[] {
  return [...grains].sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || a.seq - b.seq);
}

export function noSuchRecord(): FluxError {
  return new FluxError("not_found", "There is no record with this id", {
    hint: "Give the id of a record or of one of its grains, as store, recall and list return them.",
  });
}
