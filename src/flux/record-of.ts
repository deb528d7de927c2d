import type { GrainStatus } from "../model/grain.ts";
import { provenanceOf } from "./draft.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { type Held, versionOf } from "./read-record.ts";

/** What is shown of a record and its grains. */
export function recordOf(held: Held): MemoryRecord {
  const { owner, grains } = held;
  const [first] = grains;
  const { sessionId, agentId, metadata, expiresAt, repaired } = owner;
  const author = first?.author ?? (held.kind === "message" ? held.owner.name : undefined);
  return {
    id: owner.id,
    kind: held.kind,
    text: owner.content,
    ...(author === undefined ? {} : { author }),
    ...(held.kind === "message" ? { role: held.owner.role } : {}),
    provenance: held.kind === "message" ? provenanceOf(held.owner.role) : held.owner.provenance,
    status: statusOf(held),
    saidAt: held.kind === "message" ? held.owner.saidAt : held.owner.statedAt,
    recordedAt: owner.recordedAt,
    version: versionOf(held),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(first?.importance === undefined ? {} : { importance: first.importance }),
    ...(first?.pinned === true ? { pinned: true } : {}),
    mentions: grains.reduce((sum, { mentions = 0 }) => sum + mentions, 0),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    grainIds: grains.map(({ id }) => id),
    ...(repaired === true ? { repaired: true } : {}),
  };
}

/** A record without text has no grain that could have another status. */
function statusOf({ grains }: Held): GrainStatus {
  return grains[0]?.status ?? "active";
}
