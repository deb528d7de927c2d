import { presentOf } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import { ownerText } from "../recall/owner-text.ts";
import { defined, timeOf } from "./draft.ts";
import type { ExportedGrain } from "./export-line.ts";
import { factGrain } from "./fact-grain.ts";
import { indexedText } from "./indexed-text.ts";
import type { FluxParts } from "./open-flux.ts";
import { isMoved } from "./read-record.ts";
import { noteRenamed } from "./renamed-ids.ts";
import type { RestoreResult } from "./restoration.ts";
import {
  maxLevel,
  nameOf,
  type RestoreAside,
  type RestoredOwner,
  type RestoredPiece,
  type RestoreItem,
} from "./restore-item.ts";
import { restorePlan } from "./restore-plan.ts";
import type { RestoredLine } from "./restored-line.ts";
import type { Scope } from "./scope.ts";
import { type Cut, cutDrafts } from "./store-batch.ts";

/** What batches of an import have in common, and what later ones know of those before. */
export interface RestoreState {
  readonly exportedAt: number;
  /** The last write of the partition before the import. */
  readonly begun: number;
  readonly renewed: boolean;
  readonly level: number;
  /** Of records that are there under other ids, by name. */
  readonly renamed: Map<string, string>;
}

interface BatchCall {
  readonly operation: string;
  readonly request: string;
  readonly signal: AbortSignal | undefined;
}

/** Times that spaces may change under a commit before it gives up. */
const attempts = 8;

export interface RestoredBatch {
  readonly counts: readonly [stored: number, there: number, expired: number, conflicts: number];
  readonly level: number;
  /** As given; where a batch of the same export was done before, as it was then. */
  readonly begun: number;
}

/** Restores lines of an export in one commit. What was erased under its own id comes back under another one. */
export async function restoreBatch(
  parts: FluxParts,
  { partition }: Scope,
  lines: readonly (RestoredLine & { readonly nth?: number })[],
  { operation, request, signal, ...state }: BatchCall & RestoreState,
): Promise<RestoredBatch> {
  let { level } = state;
  for (let attempt = 1; ; ) {
    const { items, spaces } = await prepare(parts, lines, signal);
    const aside: RestoreAside = {
      ...{ items, spaces, level, now: presentOf(parts.clock) },
      ...{ exportedAt: state.exportedAt, begun: state.begun, renewed: state.renewed || level > 0 },
      renamed: renamedAmong(items, state.renamed),
    };
    try {
      const call = { operation, plan: restorePlan, input: { request }, aside };
      const { result, replayed } = await parts.ledger.update(partition, call, { signal });
      return { ...outcomeOf(result as Json as RestoreResult | undefined, { lines, replayed, state }), level };
    } catch (error) {
      if (FluxError.isInstance(error) && error.code === "erased" && level < maxLevel) level += 1;
      else if (isMoved(error) && attempt < attempts) {
        attempt += 1;
        await parts.indexes.refresh({ signal });
      } else throw error;
    }
  }
}

function outcomeOf(
  result: RestoreResult | undefined,
  {
    lines,
    replayed,
    state,
  }: {
    readonly lines: readonly RestoredLine[];
    readonly replayed: boolean;
    readonly state: RestoreState;
  },
): Pick<RestoredBatch, "counts" | "begun"> {
  const all = lines.filter(({ type }) => type !== "links").length;
  const nothing: RestoreResult = [0, all, 0, 0, [], state.begun, state.exportedAt];
  const [stored, there, expired, conflicts, renames, begun, exportedAt] = result ?? nothing;
  for (const [name, id] of renames) noteRenamed(state.renamed, name, id);
  return {
    counts: replayed ? [0, stored + there, expired, conflicts] : [stored, there, expired, conflicts],
    begun: exportedAt === state.exportedAt ? begun : state.begun,
  };
}

function renamedAmong(
  items: readonly RestoreItem[],
  renamed: ReadonlyMap<string, string>,
): RestoreAside["renamed"] {
  if (renamed.size === 0) return [];
  const named = items.flatMap((item) => [item, ...("sources" in item ? item.sources : [])].map(nameOf));
  return [...new Set(named)].flatMap((name) => {
    const id = renamed.get(name);
    return id === undefined ? [] : [[name, id] as const];
  });
}

type Line<T extends RestoredLine["type"]> = Extract<RestoredLine, { readonly type: T }> & {
  readonly nth?: number;
};

async function prepare(
  parts: FluxParts,
  lines: readonly (RestoredLine & { readonly nth?: number })[],
  signal: AbortSignal | undefined,
): Promise<{ readonly items: readonly RestoreItem[]; readonly spaces: readonly number[] }> {
  const records = lines.filter((line): line is Line<"record"> => line.type === "record");
  const cuts = cutDrafts(
    parts,
    records.map(({ draft }) => draft),
  );
  const laid = new Map<RestoredLine, Laid>(
    records.map((line, i) => [line, laidRecord(line, cuts[i] as Cut)]),
  );
  for (const line of lines) if (line.type === "fact") laid.set(line, laidFact(line));
  const texts = [...laid.values()].flatMap(({ text, contents }) =>
    contents.map(({ content }) => indexedText(content, text)),
  );
  const { entries, missing, spaces } = await parts.indexes.make(texts, signal);
  // In the order in which they were laid out.
  let next = 0;
  const pieces = new Map(
    [...laid].map(([line, { contents }]) => [
      line,
      contents.map((piece): RestoredPiece => {
        const place = next++;
        return { ...piece, entries: entries[place] ?? [], missing: missing[place] ?? [] };
      }),
    ]),
  );
  const items = lines.map((line): RestoreItem => {
    const one = laid.get(line);
    if (line.type === "plain" || line.type === "links" || one === undefined) return line as RestoreItem;
    const { id, sources, nth = 1 } = line;
    return {
      ...one.owner,
      type: "owner",
      id,
      sources,
      nth,
      units: one.text.length,
      pieces: pieces.get(line) ?? [],
    };
  });
  return { items, spaces };
}

/** A line as records: what it is, its text, and its units of recall. */
interface Laid {
  readonly owner: Pick<RestoredOwner, "kind" | "value" | "queues">;
  readonly text: string;
  readonly contents: readonly Pick<RestoredPiece, "id" | "content">[];
}

function laidRecord({ grains, status, mentions, unread }: Line<"record">, cut: Cut): Laid {
  const { draft, text, spans, queues = [] } = cut;
  const { record, grain, at = 0 } = draft;
  const asCut =
    grains.length === spans.length && spans.every((span, i) => isSpan(grains[i], span, spans.length));
  const contents = spans.map(({ start, end, provenance = grain.provenance }, i) => {
    // Where the text is cut otherwise by now, there is no telling which unit is which.
    const own = asCut ? grains[i] : undefined;
    const said = own === undefined ? (i === 0 && mentions > 0 ? mentions : undefined) : own.mentions;
    return {
      id: own?.id,
      content: {
        ...grain,
        ...(spans.length === 1 ? {} : { start, end }),
        ...{ provenance, saidAt: at, status: own?.status ?? status },
        ...defined({ mentions: said, supersededBy: own?.supersededBy }),
      },
    };
  });
  const value = { ...record.value, [timeOf[record.kind]]: at } as RestoredOwner["value"];
  return { owner: { kind: record.kind, value, queues: unread ? queues : [] }, text, contents };
}

function isSpan(
  grain: ExportedGrain | undefined,
  { start, end }: { readonly start: number; readonly end: number },
  pieces: number,
): boolean {
  if (grain === undefined) return false;
  return pieces === 1 && grain.start === undefined
    ? grain.end === undefined
    : grain.start === start && grain.end === end;
}

/** A version that is believed has one unit of recall, the others have none. */
function laidFact({ value, grains }: Line<"fact">): Laid {
  const owner = { kind: "fact", value, queues: [] } as const;
  const text = ownerText("fact", value);
  if (value.status !== "current") return { owner, text, contents: [] };
  const [own] = grains;
  const { status = "active", mentions, supersededBy } = own ?? {};
  const content = { ...factGrain(value), status, ...defined({ mentions, supersededBy }) };
  return { owner, text, contents: [{ id: own?.id, content }] };
}
