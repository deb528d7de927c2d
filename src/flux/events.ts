import { base32, digest } from "../model/hash.ts";
import { partitionKey } from "../model/partition.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import { followChanges } from "../store/follow.ts";
import { head } from "../store/read.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import type { EventsOptions, FluxEvent } from "./flux-memory.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";

/** Where a step of the ledger's feed begins, and the last change of the partition that was dealt with. */
interface Place {
  readonly start: string;
  readonly seq: number;
}

/**
 * What changes in a partition, until the signal is aborted or the memory is closed. Without a cursor, from the moment of the
 * call on.
 */
export function followPartition(
  parts: FluxParts,
  { partition }: Scope,
  options: EventsOptions,
  run: Run,
): AsyncIterable<FluxEvent> {
  const { after, signal } = checkKnown(options, names.events);
  checkSignal(signal);
  const { ledger, wait, beginnings } = parts;
  wait.stop?.throwIfAborted();
  const ended = AbortSignal.any([signal, wait.stop].filter((one) => one !== undefined));
  // The feed is one for all partitions: a cursor goes with the partition it was given for.
  const name = `events ${base32(digest(partitionKey(partition)).subarray(0, 8))}`;
  const from = after === undefined ? begin() : Promise.resolve(placeOf(after, name));
  // It is an error of the iteration, if there is one.
  from.catch(() => undefined);

  /** What the memory is asked to do later waits until the place is known, and so comes behind it. */
  async function begin(): Promise<Place> {
    const place = run(async () => {
      const start = await ledger.changes.head();
      // The feed may begin with changes that were committed before, as long as an older transaction is under way.
      const [state] = await ledger.read([partition], [head()]);
      return { start, seq: state?.seq ?? 0 };
    });
    beginnings.add(place);
    try {
      return await place;
    } finally {
      beginnings.delete(place);
    }
  }

  async function* follow(): AsyncGenerator<FluxEvent> {
    let { start, seq: dealt } = await from;
    for await (const { changes, cursor } of followChanges(ledger, { after: start, signal: ended })) {
      for (const { partition: changed, ...change } of changes) {
        if (partitionKey(changed) !== partitionKey(partition) || change.seq <= dealt) continue;
        if (ended.aborted) return;
        dealt = change.seq;
        yield { ...change, cursor: encodeCursor(name, [start, change.seq]) };
      }
      start = cursor;
    }
  }

  return {
    [Symbol.asyncIterator]() {
      const events = follow();
      return {
        // close() waits for a step that is under way, which it ends by its signal.
        next: () => (ended.aborted ? events.return(undefined) : run(() => events.next())),
        return: () => events.return(undefined),
      };
    },
  };
}

function placeOf(cursor: string, name: string): Place {
  const [start, seq] = decodeCursor(cursor, name, ["string", "number"]) as [string, number];
  return { start, seq };
}
