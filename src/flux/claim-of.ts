import type { Claim } from "../facts/claim.ts";
import type { CheckedClaim } from "./extract-claims.ts";
import type { SourceText } from "./extract-sources.ts";

/** A claim as it is committed: of the record that makes it, whose provenance it has unless it is a guess. */
export function claimOf({
  claim: { span, ...claim },
  source: { source, saidAt, provenance },
}: CheckedClaim<Pick<SourceText, "source" | "saidAt" | "provenance">>): Claim {
  const { kind, id, start = 0 } = source;
  return {
    ...claim,
    saidAt,
    provenance: claim.provenance ?? provenance,
    sources: [{ kind, id, start: start + span.start, end: start + span.end }],
  };
}
