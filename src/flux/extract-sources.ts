import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { Partition } from "../model/partition.ts";
import type { Ref, Source, Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get, type Page } from "../store/read.ts";
import { cutToUnits } from "../text/cut.ts";
import { maxSpeaker, type ShownText } from "./extract-prompt.ts";
import { windowUnits } from "./extract-queue.ts";
import { splitPieces } from "./pieces.ts";
import type { RecordRef } from "./read-record.ts";

/** Windows of one text that are read; what is behind them is kept as it is, and nothing is derived from it. */
const maxWindows = 16;

/** A text with what its statements take over from it. */
export interface SourceText extends ShownText {
  readonly source: Source;
  readonly record: Stored<Message> | Stored<StoredText>;
}

/** Records as a model is shown them, those that are there, in one read; of long ones a window. Also whether one goes on behind it. */
export async function readSources(
  ledger: Ledger,
  partition: Partition,
  {
    refs,
    window,
    signal,
  }: { readonly refs: readonly Ref[]; readonly window: number; readonly signal: AbortSignal },
): Promise<{ readonly texts: readonly SourceText[]; readonly more: boolean }> {
  const named = refs.filter(({ kind }) => kind === "message" || kind === "text") as readonly RecordRef[];
  const rows = await ledger.read([partition], named.flatMap(firstGrainReads), { signal });
  let more = false;
  const texts = named.flatMap(({ kind, id }, i) => {
    const record = rows[2 * i] as SourceText["record"] | undefined;
    const { items } = rows[2 * i + 1] as Page<Stored<Grain>>;
    const [grain] = items;
    if (record === undefined || grain === undefined) return [];
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
        source: { kind, id, ...part },
        record,
      },
    ];
  });
  return { texts, more };
}

function firstGrainReads({ kind, id }: RecordRef) {
  return [get(kind, id), find("grain", { index: "byOwner", prefix: [kind, id], limit: 1 })] as const;
}

function speakerOf({ author, provenance }: Grain): string {
  if (author !== undefined && author.trim() !== "") return cutToUnits(author.trim(), maxSpeaker);
  if (provenance === "external_source") return "a document";
  return provenance === "ai_stated" ? "the assistant" : "the user";
}
