import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { Partition } from "../model/partition.ts";
import type { Ref, Source, Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";
import { cutToUnits } from "../text/cut.ts";
import { maxSpeaker, type ShownText } from "./extract-prompt.ts";
import { windowUnits } from "./extract-queue.ts";
import { splitPieces } from "./pieces.ts";

/** Windows of one text that are read; what is behind them is kept as it is, and nothing is derived from it. */
const maxWindows = 16;

/** A text with what its statements take over from it. */
export interface SourceText extends ShownText {
  readonly source: Source;
  readonly record: Stored<Message> | Stored<StoredText>;
}

/**
 * Records as a model is shown them, those that are there; of long ones a window. Also whether one goes on behind it.
 */
export async function readSources(
  ledger: Ledger,
  partition: Partition,
  {
    refs,
    window,
    signal,
  }: { readonly refs: readonly Ref[]; readonly window: number; readonly signal: AbortSignal },
): Promise<{ readonly texts: readonly SourceText[]; readonly more: boolean }> {
  const read = await Promise.all(
    refs.map(({ kind, id }) =>
      kind === "message" || kind === "text" ? readSource(ledger, partition, { kind, id }, signal) : undefined,
    ),
  );
  let more = false;
  const texts = read.flatMap((found) => {
    if (found === undefined) return [];
    const { record, grain, kind } = found;
    const spans = splitPieces(record.content, windowUnits);
    const span = spans[window];
    if (span === undefined) return [];
    more ||= window + 1 < Math.min(spans.length, maxWindows);
    const { start, end } = span;
    const part = spans.length === 1 ? {} : { start, end };
    return [
      {
        speaker: speakerOf(grain),
        saidAt: grain.saidAt,
        text: record.content.slice(start, end),
        source: { kind, id: record.id, ...part },
        record,
      },
    ];
  });
  return { texts, more };
}

async function readSource(
  ledger: Ledger,
  partition: Partition,
  { kind, id }: { readonly kind: "message" | "text"; readonly id: string },
  signal: AbortSignal,
): Promise<
  | {
      readonly kind: "message" | "text";
      readonly record: Stored<Message> | Stored<StoredText>;
      readonly grain: Stored<Grain>;
    }
  | undefined
> {
  const grains = find("grain", { index: "byOwner", prefix: [kind, id], limit: 1 });
  const [record, page] = await ledger.read([partition], [get(kind, id), grains], { signal });
  const [grain] = page.items;
  return record === undefined || grain === undefined ? undefined : { kind, record, grain };
}

function speakerOf({ author, provenance }: Grain): string {
  if (author !== undefined && author.trim() !== "") return cutToUnits(author.trim(), maxSpeaker);
  if (provenance === "external_source") return "a document";
  return provenance === "ai_stated" ? "the assistant" : "the user";
}
