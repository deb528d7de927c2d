import type { GrainStatus } from "../model/grain.ts";
import type { Provenance } from "../model/record.ts";
import { ownerText } from "../recall/owner-text.ts";
import { provenanceOf, provenanceOfSides } from "./draft.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { type Held, saidAtOf, versionOf } from "./read-record.ts";

/** What is shown of a record and its grains. */
export function recordOf(held: Held): MemoryRecord {
  const { owner, grains } = held;
  const [first] = grains;
  const { sessionId, agentId, metadata, expiresAt, repaired } = owner;
  const author = first?.author ?? (held.kind === "message" ? held.owner.name : undefined);
  return {
    id: owner.id,
    kind: held.kind,
    text: ownerText(held.kind, owner),
    ...(held.kind === "episode" ? sidesOf(held.owner) : {}),
    ...(author === undefined ? {} : { author }),
    ...(held.kind === "message" ? { role: held.owner.role } : {}),
    provenance: provenanceOfHeld(held),
    status: statusOf(held),
    saidAt: saidAtOf(owner),
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

function sidesOf({
  input,
  output,
  transcript,
}: Extract<Held, { readonly kind: "episode" }>["owner"]): Pick<
  MemoryRecord,
  "input" | "output" | "transcript"
> {
  return { input, output, ...(transcript === undefined ? {} : { transcript }) };
}

function provenanceOfHeld(held: Held): Provenance {
  if (held.kind === "text") return held.owner.provenance;
  return held.kind === "message" ? provenanceOf(held.owner.role) : provenanceOfSides(held.owner);
}

/** A record without text has no grain that could have another status. */
function statusOf({ grains }: Held): GrainStatus {
  return grains[0]?.status ?? "active";
}
