import type { Claim } from "../facts/claim.ts";
import type { ClaimResult } from "../facts/claim-result.ts";
import { FluxError } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import { factPlan } from "./fact-plan.ts";
import type { FluxParts } from "./open-flux.ts";
import { type FactScope, type PrepareOptions, prepareClaims } from "./prepare-claims.ts";
import { digestOf } from "./request-digest.ts";

export interface CommitClaimsOptions extends PrepareOptions {
  /** Names the operation within the partition: the same id has its effect once. */
  readonly operation: string;
  /** What a retry is compared by. Default: the claims and the expected versions. */
  readonly request?: string | undefined;
}

/** Times that what was prepared may be overtaken before the call gives up. */
const attempts = 16;

/**
 * Commits claims: decides inside the transaction what they change of what is known, and writes it with the index entries of what is
 * believed from then on. Claims see what those before them did.
 *
 * @returns what became of each claim, in their order
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `too_large`; `conflict` for an expected version that is not
 * current; `operation_conflict`; `erased` for a retry whose results an erasure took
 */
export async function commitClaims(
  parts: FluxParts,
  scope: FactScope,
  claims: readonly Claim[],
  { operation, request, ...options }: CommitClaimsOptions,
): Promise<readonly ClaimResult[]> {
  const { sessionId, agentId } = scope;
  const { expected = [], signal } = options;
  return whilePrepared(parts, signal, async () => {
    const aside = await prepareClaims(parts, scope, claims, options);
    const input = { request: request ?? digestOf({ sessionId, agentId }, claims, expected) };
    const call = { operation, plan: factPlan, input, aside };
    const { result } = await parts.ledger.update(scope.partition, call, { signal });
    return resultsOf(result);
  });
}

/** Prepares and commits, anew where something came between: a space, or what a name stands for. */
export async function whilePrepared<T>(
  { indexes }: FluxParts,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!FluxError.isInstance(error) || count === attempts) throw error;
      if (error.code === "index_changed") await indexes.refresh({ signal });
      else if (error.code !== "conflict" || !error.retryable) throw error;
    }
  }
}

function resultsOf(result: Json | undefined): readonly ClaimResult[] {
  if (!Array.isArray(result)) {
    throw new FluxError(
      "erased",
      "This operation was done before, and an erasure since then took its result",
      {
        hint: "Nothing was written again. Look for what it added with query.",
      },
    );
  }
  return (result as unknown as readonly StoredResult[]).map(([outcome, reason, factId, versionId]) => ({
    ...(factId === null ? {} : { factId }),
    ...(versionId === null ? {} : { versionId }),
    ...{ outcome, reason },
  }));
}

type StoredResult = readonly [ClaimResult["outcome"], string, string | null, string | null];
