import type { ClaimedJob } from "../store/ledger.ts";
import { pausesOf } from "../store/pauses.ts";
import type { CheckedClaim } from "./extract-claims.ts";
import { commitDerived } from "./extract-commit.ts";
import { extractionJob, factsQueue } from "./extract-queue.ts";
import { readSources, type SourceText } from "./extract-sources.ts";
import { jobsBehind } from "./jobs-behind.ts";
import type { FluxParts } from "./open-flux.ts";

/**
 * Derives facts from the records of a job by rules, and of those that wait behind it, finds which earlier texts they replace, and commits
 * both as it completes the jobs. What was erased, has expired or was hidden before that is not there: an erasure in the partition ends
 * the lease, and then nothing is committed.
 *
 * @returns how many jobs were done
 */
export async function runFactsJob(parts: FluxParts, job: ClaimedJob, signal: AbortSignal): Promise<number> {
  const { window = 0 } = (job.payload ?? {}) as { readonly window?: number };
  const { ledger, extractFrom } = parts;
  const { texts, more } = await readSources(ledger, job.partition, { refs: job.sources, window, signal });
  const behind = await jobsBehind(ledger, job, texts, signal);
  const claimed = [...texts, ...behind.flatMap((one) => one.texts)].filter(({ provenance }) =>
    extractFrom.includes(provenance),
  );
  const claims = await readClaims(claimed, signal);
  const jobs = more ? [extractionJob(factsQueue, job.sources, window + 1)] : [];
  const derived = { statements: [], claims };
  const done = { ...job, behind: behind.map(({ id }) => id) };
  await commitDerived(parts, { job: done, derived, texts: claimed, jobs, signal });
  return 1 + behind.length;
}

async function readClaims(
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly CheckedClaim<SourceText>[]> {
  // Loaded on use: who only stores and recalls needs none of it.
  const { extractByRules } = await import("../facts/rules/extract.ts");
  const claims: CheckedClaim<SourceText>[] = [];
  const pause = pausesOf(signal);
  for (const source of texts) {
    await pause();
    const { text, saidAt, zone, subject } = source;
    for (const claim of extractByRules(text, { saidAt, zone, speaker: subject }))
      claims.push({ claim, source });
  }
  return claims;
}
