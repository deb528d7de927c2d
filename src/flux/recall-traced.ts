import { FluxError } from "../model/errors.ts";
import { randomId } from "../model/ids.ts";
import type { Partition } from "../model/partition.ts";
import { checkOptions } from "../recall/options.ts";
import { recall } from "../recall/recall.ts";
import type { Degradation, RecallResult } from "../recall/result.ts";
import { balancedWeights } from "../recall/weights.ts";
import type { Ledger } from "../store/ledger.ts";
import { checkTime } from "./check-options.ts";
import type { FluxRecallResult } from "./flux.ts";
import type { FluxRecallOptions } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import type { Scope } from "./scope.ts";
import { traceOf } from "./trace.ts";

/** Times that the spaces may change under a recall before it takes what it found. */
const attempts = 4;

/** What a recall may lack: less than may be amiss with a memory. */
type RecallDegradation = Degradation | { readonly code: "analyser_missing"; readonly reason: string };

interface UntracedRecall extends Omit<RecallResult, "degraded"> {
  readonly degraded?: readonly RecallDegradation[];
}

/** Recalls, and leaves a trace of it. */
export async function recallTraced(
  parts: FluxParts,
  scope: Scope,
  query: string,
  options: FluxRecallOptions,
): Promise<FluxRecallResult> {
  const ledger = new ReadWatch(parts.ledger);
  const found = await recallUntraced({ ...parts, ledger }, scope.partition, query, options);
  const { generation } = ledger;
  return { ...found, ...traced(parts, scope, { query, hits: found.hits, generation }) };
}

/** Recalls as of the active spaces. */
export async function recallUntraced(
  parts: Omit<FluxParts, "ledger"> & { readonly ledger: Pick<Ledger, "read"> },
  partition: Partition,
  query: string,
  { alpha, askedAt, zone, ...options }: FluxRecallOptions,
): Promise<UntracedRecall> {
  const { ledger, indexes, clock, tokenCounter, reranker, wait } = parts;
  if (askedAt !== undefined) checkTime(askedAt, "askedAt");
  // Once, so that every attempt has the conditions of the call.
  const checked = checkOptions({ tokenCounter, ...options });
  const { signal } = checked;
  const weights = alpha === undefined ? undefined : balancedWeights(alpha);
  for (let attempt = 1; ; attempt++) {
    const { lexical, dense, exact, ...makers } = indexes.active();
    if (alpha === 1 && dense === undefined) throw noVectors();
    const found = await recall(
      {
        ...{ ledger, partition, spaces: { lexical, dense }, ...makers, reranker, zone, wait, weights },
        now: askedAt ?? clock.now(),
      },
      query,
      checked,
    );
    // A space that was dropped meanwhile holds nothing, which is not the same as nothing found.
    if ((await indexes.refresh({ signal })) && attempt < attempts) continue;
    const degraded: RecallDegradation[] = [...(found.degraded ?? [])];
    if (!exact) degraded.push(analyserMissing);
    return { ...found, ...(degraded.length > 0 ? { degraded } : {}) };
  }
}

function noVectors(): FluxError {
  return new FluxError("invalid_argument", "This memory has no vectors for alpha 1 to go by", {
    hint: "Give an embedder to rebuild(), or a smaller alpha.",
  });
}

function traced(
  { traceRetention, traces, clock, randomness }: FluxParts,
  scope: Scope,
  {
    query,
    hits,
    generation,
  }: { readonly query: string; readonly hits: FluxRecallResult["hits"]; readonly generation: number },
): { readonly traceId?: string } {
  if (traceRetention === 0) return {};
  const id = randomId(randomness);
  const expiresAt = Math.trunc(clock.now()) + traceRetention;
  const value = traceOf(id, { query, hits, scope, expiresAt });
  traces.add(scope.partition, { id, value, generation });
  return { traceId: id };
}

export const analyserMissing: RecallDegradation = {
  code: "analyser_missing",
  reason: "The analyser that made the index of words is not at hand; another one reads the query",
};

/** Reads, and remembers which erasure generation they saw: a trace must not outlive the erasure of what it quotes. */
class ReadWatch implements Pick<Ledger, "read"> {
  readonly #ledger: Ledger;
  generation = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  read: Ledger["read"] = async (partitions, ops, options) => {
    const results = await this.#ledger.read(partitions, ops, options);
    const place = ops.findIndex(({ type }) => type === "head");
    const state = place < 0 ? undefined : (results[place] as { readonly generation: number } | undefined);
    if (state !== undefined) this.generation = state.generation;
    return results;
  };
}
