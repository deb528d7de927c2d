import type { Message } from "../model/message.ts";
import { repairText } from "../model/unicode.ts";
import { definePlan } from "../store/plan.ts";
import { find } from "../store/read.ts";
import { candidates, type PreparedDraft, type StoreAside, StoreBatch, staysUntil } from "./store-plan.ts";

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
    drafts.map(({ record, at }) =>
      record.kind === "text"
        ? find("text", {
            ...{ index: "byContent", prefix: [record.value.contentKey ?? null] },
            ...{ reverse: true, limit: candidates },
          })
        : find("message", { index: "byTime", prefix: [at], limit: ofOneMoment }),
    ),
  decide(_input, rows, { aside, id }) {
    const { drafts, now, spaces, active, jobs = [] } = aside;
    const batch = new StoreBatch(id);
    const counts = [0, 0, 0] as [number, number, number];
    for (const [i, draft] of drafts.entries()) {
      const items = rows[i]?.items ?? [];
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
