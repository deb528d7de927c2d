import type { Message } from "../model/message.ts";
import { repairText } from "../model/unicode.ts";
import { definePlan } from "../store/plan.ts";
import { find } from "../store/read.ts";
import { type PreparedDraft, type StoreAside, StoreBatch, staysUntil, textsOfKey } from "./store-plan.ts";

/** Messages of one moment that are looked at. */
const ofOneMoment = 1000;

/** How many were stored, were there already, and have expired since they were exported. */
export type ImportCounts = readonly [stored: number, there: number, expired: number];

/**
 * Stores what was exported, as far as it is not there: a text that says the same, or a message that was said at the same moment
 * in the same session. Counts no mentions, so that an import can be repeated.
 */
export const importPlan = definePlan({
  name: "flux-import",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { drafts }: StoreAside) =>
    placesOf(drafts).map((place) =>
      typeof place === "number"
        ? find("message", { index: "byTime", prefix: [place], limit: ofOneMoment })
        : textsOfKey(place),
    ),
  decide(_input, rows, { aside, id }) {
    const { drafts, now, spaces, active, jobs = [] } = aside;
    const batch = new StoreBatch(id);
    const counts = [0, 0, 0] as [number, number, number];
    const found = new Map(placesOf(drafts).map((place, i) => [place, rows[i]?.items ?? []]));
    for (const draft of drafts) {
      const items = found.get(placeOf(draft)) ?? [];
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

/** Where a draft would be if it were there: the moment of a message, the key of a text. */
function placeOf({ record, at }: PreparedDraft): number | string | null {
  return record.kind === "message" ? at : (record.value.contentKey ?? null);
}

/** Each of them once: conversations that know the day alone have hundreds of messages of one moment. */
function placesOf(drafts: readonly PreparedDraft[]): readonly (number | string | null)[] {
  return [...new Set(drafts.map(placeOf))];
}

function isThere({ record, restored }: PreparedDraft, items: readonly object[]): boolean {
  if (record.kind === "text") return items.some((text) => staysUntil(text, record.value.expiresAt));
  const same = items.filter((item) => sameMessage(item as Message, record.value));
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
