import { presentOf } from "../model/clock.ts";
import type { CallOptions } from "../store/driver.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import type { ExportLine } from "./flux-memory.ts";
import { walkFor } from "./list-walk.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { type Held, readRecords } from "./read-record.ts";
import { recordOf } from "./record-of.ts";
import type { Scope } from "./scope.ts";

/** The form of an export. Rises when an older version of this package could not import it. */
export const exportVersion = 1;

const page = 200;

/** Everything that was stored in a partition, in that order. What was derived from it is not part of it. */
export function exportLines(
  parts: FluxParts,
  { partition }: Scope,
  options: CallOptions,
  run: Run,
): AsyncIterable<ExportLine> {
  const { signal } = checkKnown(options, names.call);
  checkSignal(signal);
  const { ledger, clock } = parts;

  async function* lines(): AsyncGenerator<ExportLine> {
    signal?.throwIfAborted();
    yield { type: "flux-memory", version: exportVersion, exportedAt: presentOf(clock) };
    const walk = walkFor(ledger, partition, { order: "oldest" });
    for (let place: readonly number[] | undefined; ; ) {
      const { found, end } = await walk.next(place, page, { signal });
      const refs = found.map(({ ref }) => ref);
      for (const held of await readRecords(ledger, partition, refs, { signal })) {
        signal?.throwIfAborted();
        if (held !== undefined && !(held.kind === "text" && held.owner.form !== "note")) yield lineOf(held);
      }
      if (end === undefined) return;
      place = end;
    }
  }

  return {
    [Symbol.asyncIterator]() {
      const all = lines();
      return { next: () => run(() => all.next()), return: () => all.return(undefined) };
    },
  };
}

function lineOf(held: Held): ExportLine {
  const line = { type: "record", ...recordOf(held) } as const;
  if (held.kind !== "message") return line;
  const { name, toolCalls, toolCallId } = held.owner;
  return {
    ...line,
    // As it was given: what is shown of it is cut.
    ...(name === undefined ? {} : { author: name }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
}
