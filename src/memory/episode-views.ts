import { defined } from "../flux/draft.ts";
import type { MemoryRecord } from "../flux/memory-record.ts";
import type { Episode } from "../model/episode.ts";
import type { Stored } from "../model/record.ts";
import type { MemoryEpisode, TranscriptMessage } from "./episodes.ts";

/** What is shown of an episode. */
export function episodeOf(stored: Omit<Stored<Episode>, "seq" | "updatedSeq">): MemoryEpisode {
  const { id, input, output, occurredAt, recordedAt } = stored;
  const { transcript, sessionId, agentId, metadata, expiresAt } = stored;
  return {
    ...{ id, input, output },
    ...(isTranscript(transcript) ? { transcript } : {}),
    ...{ occurredAt, recordedAt },
    ...defined({ sessionId, agentId, metadata, expiresAt }),
  };
}

/** The same of an episode as the engine shows it. */
export function episodeOfRecord({ input = "", output = "", saidAt, ...rest }: MemoryRecord): MemoryEpisode {
  return episodeOf({ ...rest, input, output, occurredAt: saidAt });
}

/** An engine keeps any JSON as a transcript; what is none is not shown as one. */
function isTranscript(value: unknown): value is readonly TranscriptMessage[] {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  const { role, content } = Object(value) as { readonly [name in keyof TranscriptMessage]?: unknown };
  return (role === "assistant" || role === "tool") && typeof content === "string";
}
