import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import { defined } from "./draft.ts";

/** The unit of recall of a version of a fact that is believed, which can be filtered by when it holds. */
export function factGrain(version: FactVersion): Omit<Grain, "ownerKind" | "ownerId"> {
  const { sessionId, agentId, provenance, mentions, validFrom, validUntil, expiresAt } = version;
  const holds = defined({ validFrom: validFrom?.at, validUntil: validUntil?.at });
  return {
    ...defined({ sessionId, agentId, mentions, expiresAt }),
    ...(Object.keys(holds).length === 0 ? {} : { metadata: holds }),
    ...{ status: "active", provenance, saidAt: lastSaidAt(version) },
  };
}

/** When it was last said, or that it had ended. */
function lastSaidAt({ evidence = [], recordedFrom }: FactVersion): number {
  const said = evidence.filter(({ ends }) => !ends);
  const times = (said.length > 0 ? said : evidence).map(({ saidAt }) => saidAt);
  return times.length > 0 ? Math.max(...times) : recordedFrom;
}
