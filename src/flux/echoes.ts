import type { Clock } from "../model/clock.ts";
import type { Partition } from "../model/partition.ts";
import type { Trace } from "../model/trace.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { find } from "../store/read.ts";
import { contentMark, fingerprint } from "./content-key.ts";
import { maxPieceUnits } from "./pieces.ts";
import type { TraceWriter } from "./trace-writer.ts";

/** How far back a recall is recent: that many of the partition, no older than a day. */
const recentTraces = 50;
const recentTime = 24 * 3_600_000;
/** UTF-16 units; a recall returns one piece of a text at most. */
const longest = 2 * maxPieceUnits;

/**
 * For each text, the grain with which a recent recall of the partition returned it. Finds it by fingerprints in traces, of
 * this process and of others.
 */
export async function findEchoes(
  { ledger, traces, clock }: { readonly ledger: Ledger; readonly traces: TraceWriter; readonly clock: Clock },
  partition: Partition,
  texts: readonly string[],
  options: CallOptions,
): Promise<readonly (string | undefined)[]> {
  if (texts.length === 0) return [];
  const [page] = await ledger.read(
    [partition],
    [find("trace", { index: "bySeq", reverse: true, limit: recentTraces })],
    options,
  );
  const since = clock.now() - recentTime;
  const written = page.items.filter(({ recordedAt }) => recordedAt >= since);
  const waiting = traces.waiting(partition).map(({ id, value }) => ({ ...value, id }));
  const recent = [...waiting, ...written];
  return texts.map((text) => (text.length > longest ? undefined : echoOf(contentMark(text), recent)));
}

function echoOf(content: string, traces: readonly (Trace & { readonly id: string })[]): string | undefined {
  for (const { id, hits } of traces) {
    if (hits.length === 0) continue;
    const mark = fingerprint(id, content);
    const hit = hits.find((one) => one.fingerprint === mark);
    if (hit !== undefined) return hit.grainId;
  }
  return undefined;
}
