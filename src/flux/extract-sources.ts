import type { Episode } from "../model/episode.ts";
import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Partition } from "../model/partition.ts";
import type { Provenance, Ref, Source, Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get, type Page } from "../store/read.ts";
import { cutToUnits } from "../text/cut.ts";
import { isZone } from "../text/time/zone.ts";
import { maxSpeaker, type ShownText } from "./extract-prompt.ts";
import { windowUnits } from "./extract-queue.ts";
import { type SaidRecord, type Side, sidesOf, subjectOf } from "./extract-sides.ts";
import { splitPieces } from "./pieces.ts";
import { type RecordRef, recordKinds } from "./read-record.ts";

/** Windows of one record that are read; what is behind them is kept as it is, and nothing is derived from it. */
const maxWindows = 16;

/** A text by one speaker, with what is taken over from it. */
export interface SourceText extends ShownText {
  /** The record, and where the text stands in it unless it is all of it. */
  readonly source: Source & RecordRef;
  readonly zone: string;
  /** Whom the speaker means by "I", as a subject of facts. */
  readonly subject: string;
  readonly provenance: Provenance;
  /** Whether all of what the record says is shown at once. */
  readonly whole: boolean;
  readonly record: Stored<Message> | Stored<StoredText> | Stored<Episode>;
}

/** Records by their speakers, those that are there, in one read; of long ones a window. Also whether one goes on behind it. */
export async function readSources(
  ledger: Ledger,
  partition: Partition,
  {
    refs,
    window,
    signal,
  }: { readonly refs: readonly Ref[]; readonly window: number; readonly signal: AbortSignal },
): Promise<{ readonly texts: readonly SourceText[]; readonly more: boolean }> {
  const named = refs.filter((ref): ref is RecordRef => recordKinds.some((kind) => kind === ref.kind));
  const rows = await ledger.read([partition], named.flatMap(firstGrainReads), { signal });
  let more = false;
  const texts = named.flatMap((ref, i): SourceText[] => {
    const record = rows[2 * i] as SourceText["record"] | undefined;
    const [grain] = (rows[2 * i + 1] as Page<Stored<Grain>>).items;
    if (record === undefined || grain === undefined) return [];
    const sides = sidesOf({ kind: ref.kind, value: record } as SaidRecord, grain);
    const windows = windowsOf(sides);
    more ||= window + 1 < Math.min(windows.length, maxWindows);
    return (windows[window] ?? []).map(({ side, start, end }) => {
      const all = sides.length === 1 && windows.length === 1;
      return {
        speaker: speakerOf(side),
        saidAt: grain.saidAt,
        zone: zoneOf(record.metadata),
        text: side.text.slice(start, end),
        source: { ...ref, ...(all ? {} : { start: side.start + start, end: side.start + end }) },
        subject: subjectOf(side),
        provenance: side.provenance,
        whole: windows.length === 1,
        record,
      };
    });
  });
  return { texts, more };
}

function firstGrainReads({ kind, id }: RecordRef) {
  return [get(kind, id), find("grain", { index: "byOwner", prefix: [kind, id], limit: 1 })] as const;
}

interface Part {
  readonly side: Side;
  readonly start: number;
  readonly end: number;
}

/** Both sides of an exchange together where they fit, else one part after the other. */
function windowsOf(sides: readonly Side[]): readonly (readonly Part[])[] {
  const units = sides.reduce((sum, { text }) => sum + text.length, 0);
  if (units <= windowUnits) return [sides.map((side) => ({ side, start: 0, end: side.text.length }))];
  return sides.flatMap((side) => splitPieces(side.text, windowUnits).map((span) => [{ side, ...span }]));
}

function speakerOf({ author, provenance }: Side): string {
  if (author !== undefined && author.trim() !== "") return cutToUnits(author.trim(), maxSpeaker);
  if (provenance === "external_source") return "a document";
  return provenance === "ai_stated" ? "the assistant" : "the user";
}

/** The zone in which a text speaks of days: that of its metadata, if it is one. */
function zoneOf(metadata: Metadata | undefined): string {
  const { zone } = metadata ?? {};
  return typeof zone === "string" && isZone(zone) ? zone : "UTC";
}
