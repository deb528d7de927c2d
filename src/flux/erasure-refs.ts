import type { Json } from "../model/json.ts";
import type { Partition } from "../model/partition.ts";
import type { Ref, Stored } from "../model/record.ts";
import { type OwnerRecords, ownerText } from "../recall/owner-text.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { pausesOf } from "../store/pauses.ts";
import { type FindOptions, find, get } from "../store/read.ts";
import type { Kinds } from "../store/schema.ts";
import { holdsWords } from "../text/holds-words.ts";
import { normaliseText } from "./content-key.ts";
import { defined } from "./draft.ts";
import type { EraseScope } from "./flux-memory.ts";
import { type Held, recordKinds, saidAtOf } from "./read-record.ts";

export interface Place {
  readonly ledger: Ledger;
  readonly partition: Partition;
}

type TimeScope = Extract<EraseScope, { readonly from: number } | { readonly until: number }>;

/** Records in a page of the ledger: a record may have megabytes. */
const page = 200;

/** Kinds of which one record can be erased by its id, and by what it says. */
export const erasableKinds = [...recordKinds, "fact", "block"] as const;
type ErasableKind = (typeof erasableKinds)[number];

/** Records with an id, and that of a grain with that id. A fact goes with all of its versions, by the id of one or by its own. */
export async function refsOfId(place: Place, id: string, options: CallOptions): Promise<Ref[]> {
  const { ledger, partition } = place;
  const ops = [get("grain", id), ...erasableKinds.map((kind) => get(kind, id))] as const;
  const [grain, ...records] = await ledger.read([partition], ops, options);
  const found = [
    ...erasableKinds.flatMap((kind, i) => (records[i] === undefined ? [] : [{ kind, id }])),
    ...(grain === undefined ? [] : [{ kind: grain.ownerKind, id: grain.ownerId }]),
  ];
  const versions = found.filter(({ kind }) => kind === "fact").map((ref) => get("fact", ref.id));
  const facts = await ledger.read([partition], versions, options);
  const refs: Ref[] = found.filter(({ kind }) => kind !== "fact");
  for (const factId of new Set([id, ...facts.flatMap((fact) => fact?.factId ?? [])]))
    for await (const version of walk(place, "fact", { index: "byFact", prefix: [factId] }, options))
      refs.push({ kind: "fact", id: version.id });
  return refs;
}

/** Texts, messages and episodes of a time, and of a session where one is given. */
export async function refsOfTime(
  place: Place,
  { from, until, sessionId }: TimeScope,
  options: CallOptions,
): Promise<Ref[]> {
  const refs: Ref[] = [];
  const range = defined({ gte: from, lt: until });
  const along =
    sessionId === undefined ? { index: "byTime", range } : { index: "bySession", prefix: [sessionId] };
  for (const kind of recordKinds)
    for await (const record of walk(place, kind, along, options)) {
      const at = saidAtOf(record as Held["owner"]);
      if (at >= (from ?? -Infinity) && at < (until ?? Infinity)) refs.push({ kind, id: record.id });
    }
  return refs;
}

/** Whatever holds the words of a text. Looks at every record of the partition. */
export async function refsOfText(place: Place, text: string, options: CallOptions): Promise<Ref[]> {
  const holds = holdsWords(normaliseText(text));
  const refs: Ref[] = [];
  for (const kind of erasableKinds)
    for await (const record of walk(place, kind, {}, options))
      if (wordsOf(kind, record).some(holds)) refs.push({ kind, id: record.id });
  return refs;
}

function wordsOf(kind: ErasableKind, record: Stored<Kinds[ErasableKind]>): string[] {
  const { metadata, toolCalls, transcript } = record as {
    readonly [name in "metadata" | "toolCalls" | "transcript"]?: Json;
  };
  const said =
    kind === "block"
      ? (record as Kinds["block"]).content
      : ownerText(kind, record as OwnerRecords[Exclude<ErasableKind, "block">]);
  return [said, ...[metadata, toolCalls, transcript].flatMap(stringsIn)];
}

/** The texts in a JSON value, those of its keys too. */
function stringsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    Array.isArray(value) ? stringsIn(item) : [key, ...stringsIn(item)],
  );
}

async function* walk(
  { ledger, partition }: Place,
  kind: ErasableKind,
  along: FindOptions,
  options: CallOptions,
): AsyncGenerator<Stored<Kinds[ErasableKind]>> {
  const pause = pausesOf(options.signal);
  for (let after: string | undefined; ; ) {
    await pause();
    const op = find(kind, { ...along, limit: page, after });
    const [{ items, cursor }] = await ledger.read([partition], [op], options);
    yield* items;
    if (cursor === undefined) return;
    after = cursor;
  }
}
