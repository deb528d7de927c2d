import type { Partition } from "../model/partition.ts";
import type { Ref, Stored } from "../model/record.ts";
import { ownerText } from "../recall/owner-text.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";
import type { Kinds } from "../store/schema.ts";
import type { ForgetFilter } from "./agent-memory.ts";

/** The kinds of record that hold what a user said, or what is known of him. */
const saidKinds = ["episode", "message", "text", "fact", "block"] as const;
type SaidKind = (typeof saidKinds)[number];

/** A record that holds something of a user. */
export interface Said extends Ref {
  readonly kind: SaidKind;
  readonly sessionId: string | undefined;
  /** When it was said, in milliseconds; undefined of a block, which is of the present. */
  readonly at: number | undefined;
  /** What it holds, in words. */
  readonly texts: readonly string[];
}

interface Walk {
  readonly ledger: Pick<Ledger, "read">;
  readonly partition: Partition;
  readonly signal: AbortSignal | undefined;
}

/** Records that are read at a time. */
const page = 500;

/**
 * All that may fulfil a filter, in pages: along the index of the session, of the time, or all of it.
 *
 * @param wanted only these, where it is given
 */
export async function* walkSaid(
  { ledger, partition, signal }: Walk,
  { sessionId, from, before }: ForgetFilter,
  wanted: readonly (Ref & { readonly kind: SaidKind })[] | undefined,
): AsyncGenerator<readonly Said[]> {
  if (wanted !== undefined) {
    for (let i = 0; i < wanted.length; i += page) {
      const refs = wanted.slice(i, i + page);
      const rows = await ledger.read(
        [partition],
        refs.map(({ kind, id }) => get(kind, id)),
        { signal },
      );
      yield refs.flatMap(({ kind }, at) => {
        const row = rows[at];
        return row === undefined ? [] : [saidOf(kind, row)];
      });
    }
    return;
  }
  for (const kind of saidKinds) {
    const index = indexFor(kind, { sessionId, timed: from !== undefined || before !== undefined });
    if (index === undefined) continue;
    const range = {
      ...(index === "byTime" && from !== undefined ? { gte: from } : {}),
      ...(index === "byTime" && before !== undefined ? { lt: before } : {}),
    };
    const prefix = index === "bySession" && sessionId !== undefined ? [sessionId] : [];
    let after: string | undefined;
    do {
      const walk = { index, prefix, ...(index === "byTime" ? { range } : {}), limit: page, after };
      const [{ items, cursor }] = await ledger.read([partition], [find(kind, walk)], { signal });
      yield (items as readonly Stored<Kinds[SaidKind]>[]).map((row) => saidOf(kind, row));
      after = cursor;
    } while (after !== undefined);
  }
}

/** The index that passes over least; undefined where nothing of the kind can fulfil the filter. */
function indexFor(
  kind: SaidKind,
  { sessionId, timed }: { readonly sessionId: string | undefined; readonly timed: boolean },
): string | undefined {
  if (kind === "block") return sessionId !== undefined || timed ? undefined : "byName";
  if (sessionId !== undefined) return "bySession";
  return timed && kind !== "fact" ? "byTime" : "byId";
}

/** The records with these ids; a fact is all of its versions, whichever of them is named, and a grain what it is of. */
export async function refsOfIds(
  { ledger, partition, signal }: Walk,
  ids: readonly string[],
): Promise<readonly (Ref & { readonly kind: SaidKind })[]> {
  const refs = new Map<string, Ref & { readonly kind: SaidKind }>();
  const add = (kind: SaidKind, id: string): unknown => refs.set(`${kind} ${id}`, { kind, id });
  for (const id of new Set(ids)) {
    const [episode, message, text, fact, block, grain] = await ledger.read(
      [partition],
      [
        get("episode", id),
        get("message", id),
        get("text", id),
        get("fact", id),
        get("block", id),
        get("grain", id),
      ],
      { signal },
    );
    if (episode) add("episode", id);
    if (message) add("message", id);
    if (text) add("text", id);
    if (block) add("block", id);
    if (grain) add(grain.ownerKind, grain.ownerId);
    const [versions] = await ledger.read(
      [partition],
      [find("fact", { index: "byFact", prefix: [fact?.factId ?? id], limit: 1000 })],
      { signal },
    );
    for (const version of versions.items) add("fact", version.id);
  }
  return [...refs.values()];
}

function saidOf(kind: SaidKind, row: Stored<Kinds[SaidKind]>): Said {
  const { id } = row;
  switch (kind) {
    case "episode": {
      const { sessionId, occurredAt, ...episode } = row as Stored<Kinds["episode"]>;
      const transcript = episode.transcript === undefined ? [] : [JSON.stringify(episode.transcript)];
      return { kind, id, sessionId, at: occurredAt, texts: [ownerText("episode", episode), ...transcript] };
    }
    case "message": {
      const { sessionId, saidAt, content } = row as Stored<Kinds["message"]>;
      return { kind, id, sessionId, at: saidAt, texts: [content] };
    }
    case "text": {
      const { sessionId, statedAt, content } = row as Stored<Kinds["text"]>;
      return { kind, id, sessionId, at: statedAt, texts: [content] };
    }
    case "fact": {
      const { sessionId, recordedFrom, ...fact } = row as Stored<Kinds["fact"]>;
      return { kind, id, sessionId, at: recordedFrom, texts: [ownerText("fact", fact)] };
    }
    case "block": {
      const { name, content } = row as Stored<Kinds["block"]>;
      return { kind, id, sessionId: undefined, at: undefined, texts: [name, content] };
    }
  }
}
