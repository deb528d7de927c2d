import { defined } from "../flux/draft.ts";
import type { MemoryRecord } from "../flux/memory-record.ts";
import type { Episode } from "../model/episode.ts";
import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { find } from "../store/read.ts";
import type { MemoryEpisode, TranscriptMessage } from "./episodes.ts";

/**
 * What is shown of an episode.
 *
 * @param standing how much it matters, which any of its grains says; absent for one without text
 */
export function episodeOf(
  stored: Omit<Stored<Episode>, "seq" | "updatedSeq">,
  { importance, pinned }: Pick<Grain, "importance" | "pinned"> = {},
): MemoryEpisode {
  const { id, input, output, occurredAt, recordedAt } = stored;
  const { transcript, sessionId, agentId, metadata, expiresAt } = stored;
  return {
    ...{ id, input, output },
    ...(isTranscript(transcript) ? { transcript } : {}),
    ...{ occurredAt, recordedAt },
    ...defined({ sessionId, agentId, metadata, expiresAt, importance, pinned: pinned || undefined }),
  };
}

/** The read of a grain of an episode, for {@link episodeOf}. */
export function firstGrainOf(id: string) {
  return find("grain", { index: "byOwner", prefix: ["episode", id], limit: 1 });
}

/** The same of an episode as the engine shows it. */
export function episodeOfRecord({ input = "", output = "", saidAt, ...rest }: MemoryRecord): MemoryEpisode {
  return episodeOf({ ...rest, input, output, occurredAt: saidAt }, rest);
}

/** An engine keeps any JSON as a transcript; what is none is not shown as one. */
function isTranscript(value: unknown): value is readonly TranscriptMessage[] {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  const { role, content } = Object(value) as { readonly [name in keyof TranscriptMessage]?: unknown };
  return (role === "assistant" || role === "tool") && typeof content === "string";
}
