import type { FactVersion } from "../model/fact.ts";
import type { Source, Stored } from "../model/record.ts";
import type { Fact } from "./fact.ts";

/** The role of a link from a version that was retired to the one that took its place. */
export const supersededRole = "superseded_by";

/** What is shown of a version. @param links what the ledger says that it was derived from */
export function toFact(version: Stored<FactVersion>, links: readonly Source[]): Fact {
  const { id, factId, subject, predicate, object, affirmed, confidence, provenance } = version;
  const { validFrom, validUntil, recordedFrom, retiredAt, mentions = 0, evidence = [] } = version;
  const { retiredReason, reason, sessionId, agentId } = version;
  const successor = links.find(({ role }) => role === supersededRole);
  const said = evidence.length > 0 ? evidence.map(({ saidAt }) => saidAt) : [recordedFrom];
  return {
    ...{ id, factId, subject, predicate, object, affirmed, confidence, provenance },
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    recordedFrom,
    ...(retiredAt === undefined ? {} : { recordedUntil: retiredAt }),
    sources: links.filter((link) => link !== successor),
    ...{ mentions, firstSaidAt: Math.min(...said), lastSaidAt: Math.max(...said) },
    ...(retiredReason === undefined ? {} : { retiredReason }),
    ...(successor === undefined ? {} : { supersededBy: successor.id }),
    ...(reason === undefined ? {} : { reason }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}
