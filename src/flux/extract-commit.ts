import { presentOf } from "../model/clock.ts";
import type { NewJob } from "../model/job.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import type { Derived } from "./extract-ahead.ts";
import type { SourceText } from "./extract-sources.ts";
import type { FluxParts } from "./open-flux.ts";
import { statementDraft } from "./statement.ts";
import { statementPlan } from "./statement-plan.ts";
import { commitDrafts, cutDraft } from "./store-batch.ts";

interface DerivedCommit {
  readonly job: ClaimedJob;
  /** The texts of the job. */
  readonly texts: readonly SourceText[];
  readonly derived: Derived;
  /** Further jobs. */
  readonly jobs: readonly NewJob[];
  readonly signal: AbortSignal;
}

/** Commits what a job has derived from its texts, in the commit that completes it. */
export async function commitDerived(
  parts: FluxParts,
  { job, derived: { statements }, jobs, signal }: DerivedCommit,
): Promise<void> {
  if (statements.length + jobs.length === 0) return;
  await commitDrafts(parts, job.partition, {
    operation: `job/${job.id}`,
    // The commit carries the job, and so happens once.
    input: { request: job.id },
    plan: statementPlan,
    cuts: statements.map((statement) => ({
      ...cutDraft(statementDraft(statement)),
      sources: [statement.source.source],
      said: statement.source.text,
    })),
    echoes: new Map(),
    now: presentOf(parts.clock),
    ...{ jobs, job, signal },
  });
}
