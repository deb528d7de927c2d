import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { CallOptions, IndexRange } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { type FindOptions, find } from "../store/read.ts";
import type { ListOptions } from "./memory-record.ts";
import { type Held, ownerOf, type RecordKind, type RecordRef, recordKinds, saidAtOf } from "./read-record.ts";

type Owner = Held["owner"];

/** A record that may belong to a list, and its place in the order of the list. */
export interface Candidate {
  readonly ref: RecordRef;
  readonly place: readonly number[];
  /** The grain that led to it; it counts only where this is its first. */
  readonly grainId?: string;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  /** Where to go on; absent at the end. */
  readonly end: readonly number[] | undefined;
}

/** A way along an index, in the order of a list. */
export interface Walk {
  /** What a place consists of. */
  readonly places: readonly "number"[];
  /** Candidates behind a place. */
  next(behind: readonly number[] | undefined, limit: number, options: CallOptions): Promise<Candidates>;
}

type Conditions = Omit<ListOptions, "after" | "limit" | "signal">;

/** Whether something was said in the session, by the agent and in the time that are asked for. */
export function fitsLabels(
  { sessionId, agentId }: { readonly sessionId?: string | undefined; readonly agentId?: string | undefined },
  saidAt: number,
  { from = -Infinity, until = Infinity, ...wanted }: Conditions,
): boolean {
  return (
    (wanted.sessionId === undefined || sessionId === wanted.sessionId) &&
    (wanted.agentId === undefined || agentId === wanted.agentId) &&
    saidAt >= from &&
    saidAt < until
  );
}

/** The index that leaves the least to look at: status, then session, agent, time. */
export function walkFor(ledger: Ledger, partition: Partition, conditions: Conditions): Walk {
  const { status, sessionId, agentId, from, until, order = "newest" } = conditions;
  const reverse = order === "newest";
  // What has no grain, and what is not otherwise, is active: nearly all.
  if (status !== undefined && status !== "active")
    return statusWalk(ledger, partition, { ...conditions, status });
  const labels =
    sessionId === undefined && agentId === undefined
      ? { index: "bySeq", prefix: [] }
      : sessionId === undefined
        ? { index: "byAgent", prefix: [agentId as string] }
        : { index: "bySession", prefix: [sessionId] };
  const window = labels.index === "bySeq" && (from !== undefined || until !== undefined);
  return window
    ? ownerWalk(ledger, partition, conditions, {
        places: ["number", "number"],
        placeOf: (owner) => [saidAtOf(owner), owner.seq],
        finds: (behind) => timeFinds({ from, until }, behind, reverse),
      })
    : ownerWalk(ledger, partition, conditions, {
        places: ["number"],
        placeOf: ({ seq }) => [seq],
        finds: (behind) => [{ ...labels, range: rangeBehind(behind?.[0], reverse) }],
      });
}

function rangeBehind(place: number | undefined, reverse: boolean): IndexRange | undefined {
  if (place === undefined) return undefined;
  return reverse ? { lt: place } : { gt: place };
}

/** The rest of the moment at which the page before ended, and the moments behind it. */
function timeFinds(
  { from, until }: { readonly from: number | undefined; readonly until: number | undefined },
  behind: readonly number[] | undefined,
  reverse: boolean,
): FindOptions[] {
  const [time, seq] = behind ?? [];
  const window = {
    ...(from === undefined ? {} : { gte: from }),
    ...(until === undefined ? {} : { lt: until }),
  };
  if (time === undefined) return [{ index: "byTime", range: window }];
  const rest = reverse
    ? { ...window, lt: time }
    : { ...(until === undefined ? {} : { lt: until }), gt: time };
  return [
    { index: "byTime", prefix: [time], range: rangeBehind(seq, reverse) },
    { index: "byTime", range: rest },
  ];
}

function ownerWalk(
  ledger: Ledger,
  partition: Partition,
  conditions: Conditions,
  {
    places,
    placeOf,
    finds,
  }: {
    readonly places: Walk["places"];
    readonly placeOf: (owner: Owner) => readonly number[];
    readonly finds: (behind: readonly number[] | undefined) => readonly FindOptions[];
  },
): Walk {
  const { kind, filter, order = "newest" } = conditions;
  const reverse = order === "newest";
  const kinds = kind === undefined ? recordKinds : [kind];
  return {
    places,
    async next(behind, limit, options) {
      const ops = kinds.flatMap((one) =>
        finds(behind).map((op) => find(one, { ...op, filter, reverse, limit })),
      );
      const pages = await ledger.read([partition], ops, options);
      const all = pages.flatMap(({ items }, i) => {
        const at = ops[i]?.kind as RecordKind;
        return (items as readonly Owner[]).map((item) => ({
          ref: { kind: at, id: item.id },
          place: placeOf(item),
          fits: fitsLabels(item, saidAtOf(item), conditions),
        }));
      });
      all.sort((a, b) => (reverse ? -1 : 1) * comparePlaces(a.place, b.place));
      const first = all.slice(0, limit);
      const more = all.length > limit || pages.some(({ cursor }) => cursor !== undefined);
      return { found: first.filter(({ fits }) => fits), end: more ? first.at(-1)?.place : undefined };
    },
  };
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, place) => value !== b[place]);
  return i < 0 ? 0 : (a[i] ?? 0) - (b[i] ?? 0);
}

function statusWalk(
  ledger: Ledger,
  partition: Partition,
  conditions: Conditions & { readonly status: Grain["status"] },
): Walk {
  const { status, kind, filter, order = "newest" } = conditions;
  const reverse = order === "newest";
  return {
    places: ["number"],
    async next(behind, limit, options) {
      const range = rangeBehind(behind?.[0], reverse);
      const op = find("grain", { index: "byStatus", prefix: [status], range, filter, reverse, limit });
      const [{ items, cursor }] = await ledger.read([partition], [op], options);
      const found = items.flatMap((grain): Candidate[] => {
        const ref = ownerOf(grain);
        if (ref === undefined || (kind !== undefined && ref.kind !== kind)) return [];
        if (!fitsLabels(grain, grain.saidAt, conditions)) return [];
        return [{ ref, place: [grain.seq], grainId: grain.id }];
      });
      const last = items.at(-1);
      return { found, end: cursor === undefined || last === undefined ? undefined : [last.seq] };
    },
  };
}
