import type { Episode } from "../model/episode.ts";
import type { Message } from "../model/message.ts";
import { repairText } from "../model/unicode.ts";
import { definePlan } from "../store/plan.ts";
import { find } from "../store/read.ts";
import { type PreparedDraft, type StoreAside, StoreBatch, staysUntil, textsOfKey } from "./store-plan.ts";

/** Messages or episodes of one moment that are looked at. */
const ofOneMoment = 1000;

/** How many were stored, were there already, and have expired since they were exported. */
export type ImportCounts = readonly [stored: number, there: number, expired: number];

/**
 * Stores what was exported, as far as it is not there: a text that says the same, or a message or episode of the same moment in
 * the same session. Counts no mentions, so that an import can be repeated.
 */
export const importPlan = definePlan({
  name: "flux-import",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { drafts }: StoreAside) =>
    placesOf(drafts).map(({ record, at }) =>
      record.kind === "text"
        ? textsOfKey(record.value.contentKey)
        : find(record.kind, { index: "byTime", prefix: [at], limit: ofOneMoment }),
    ),
  decide(_input, rows, { aside, id }) {
    const { drafts, now, spaces, active, jobs = [] } = aside;
    const batch = new StoreBatch(id);
    const counts = [0, 0, 0] as [number, number, number];
    const found = new Map(placesOf(drafts).map((draft, i) => [placeOf(draft), rows[i]?.items ?? []]));
    for (const draft of drafts) {
      const items: readonly object[] = found.get(placeOf(draft)) ?? [];
      if ((draft.record.value.expiresAt ?? Infinity) <= now) counts[2] += 1;
      else if (isThere(draft, items) || typeof batch.insertNew(draft, active)[0] === "string") counts[1] += 1;
      else counts[0] += 1;
    }
    return {
      ...{ mutations: batch.mutations(), spaces, result: counts },
      jobs: [...batch.jobs(), ...jobs],
    };
  },
});

/** Where a draft would be if it were there: the key of a text, the moment of others. */
function placeOf({ record, at }: PreparedDraft): string {
  return `${record.kind} ${record.kind === "text" ? record.value.contentKey : at}`;
}

/** A draft of each place: conversations that know the day alone have hundreds of messages of one moment. */
function placesOf(drafts: readonly PreparedDraft[]): readonly PreparedDraft[] {
  return [...new Map(drafts.map((draft) => [placeOf(draft), draft])).values()];
}

function isThere({ record, restored }: PreparedDraft, items: readonly object[]): boolean {
  if (record.kind === "text") return items.some((text) => staysUntil(text, record.value.expiresAt));
  const same = items.filter((item) =>
    record.kind === "message"
      ? sameMessage(item as Message, record.value)
      : sameEpisode(item as Episode, record.value),
  );
  return same.length >= (restored?.nth ?? 1);
}

function sameMessage(
  there: Message,
  { sessionId, agentId, role, name, content }: Omit<Message, "saidAt">,
): boolean {
  return (
    there.sessionId === sessionId &&
    there.agentId === agentId &&
    there.role === role &&
    there.name === (name === undefined ? undefined : repairText(name)) &&
    there.content === repairText(content)
  );
}

function sameEpisode(
  there: Episode,
  { sessionId, agentId, input, output }: Omit<Episode, "occurredAt">,
): boolean {
  return (
    there.sessionId === sessionId &&
    there.agentId === agentId &&
    there.input === repairText(input) &&
    there.output === repairText(output)
  );
}
