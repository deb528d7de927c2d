import { presentOf } from "../model/clock.ts";
import { type ImportCounts, importPlan } from "./import-plan.ts";
import type { ImportedLine } from "./line-reader.ts";
import type { FluxParts } from "./open-flux.ts";
import type { Scope } from "./scope.ts";
import { type Cut, commitDrafts, cutDrafts } from "./store-batch.ts";

/** Stores lines of an export of version 1 in one commit, under new ids; what follows from them is derived anew. */
export async function storeLines(
  parts: FluxParts,
  { partition }: Scope,
  lines: readonly ImportedLine[],
  {
    operation,
    request,
    signal,
  }: { readonly operation: string; readonly request: string; readonly signal: AbortSignal | undefined },
): Promise<readonly [number, number, number, number]> {
  const records = lines.flatMap(({ record, nth }) => (record === undefined ? [] : [{ ...record, nth }]));
  const cuts = cutDrafts(
    parts,
    records.map(({ draft }) => draft),
  ).map((cut, i): Cut => {
    const { status = "active", mentions = 0, nth = 1 } = records[i] ?? {};
    return { ...cut, restored: { status, mentions, nth } };
  });
  const { result, replayed } = await commitDrafts(parts, partition, {
    ...{ plan: importPlan, operation, input: { request }, cuts, signal },
    ...{ echoes: new Map(), now: presentOf(parts.clock) },
  });
  const [stored, there, expired] = (result ?? [0, records.length, 0]) as unknown as ImportCounts;
  return replayed ? [0, stored + there, expired, 0] : [stored, there, expired, 0];
}
