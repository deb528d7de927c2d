import type { Claim } from "../facts/claim.ts";
import { presentOf } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { NewJob } from "../model/job.ts";
import { type OwnerRecords, ownerText } from "../recall/owner-text.ts";
import type { ClaimedJob, JobLease } from "../store/ledger.ts";
import { claimOf } from "./claim-of.ts";
import { whilePrepared } from "./commit-claims.ts";
import type { Derived } from "./extract-ahead.ts";
import type { SourceText } from "./extract-sources.ts";
import { extractedPlan } from "./extracted-plan.ts";
import { findMarks } from "./find-marks.ts";
import type { FluxParts } from "./open-flux.ts";
import { checkClaims, maxClaims, prepareClaims } from "./prepare-claims.ts";
import { statementDraft } from "./statement.ts";
import { cutDraft, prepareDrafts } from "./store-batch.ts";

interface DerivedCommit {
  readonly job: ClaimedJob & JobLease;
  readonly derived: Derived;
  /** Those that may replace others by what they say. */
  readonly texts?: readonly SourceText[];
  /** Further jobs. */
  readonly jobs: readonly NewJob[];
  readonly signal: AbortSignal;
}

/** Commits what a job has derived from its texts as it completes the job: so it happens once, and not after an erasure. */
export async function commitDerived(
  parts: FluxParts,
  { job, derived, texts: compared = [], jobs, signal }: DerivedCommit,
): Promise<void> {
  const { ledger, indexes, clock } = parts;
  const { partition, id } = job;
  const read = derived.claims.map(claimOf).filter((claim) => isWhole(claim, presentOf(clock)));
  // A text that is one list of names would give more; what was said is kept as it is.
  const claims = read.slice(0, maxClaims);
  const cuts = derived.statements.map((statement) => ({
    ...cutDraft(statementDraft(statement)),
    sources: [statement.source.source],
    said: statement.source.text,
  }));
  const marks = await findMarks(parts, partition, compared, signal);
  const behind = job.behind?.length ?? 0;
  if (claims.length + cuts.length + jobs.length + marks.length + behind === 0) return;
  const texts = textsOf(derived);
  await whilePrepared(parts, signal, async () => {
    const now = presentOf(clock);
    const facts = await prepareClaims(parts, { partition }, claims, { now, signal, texts });
    const { prepared } = await prepareDrafts(parts, cuts, { echoes: new Map(), now, signal });
    const active = indexes.spaces.filter(({ state }) => state === "active").map((space) => space.id);
    // Those of what was made first: had they changed meanwhile, the commit is refused.
    const aside = { statements: prepared, facts, marks, jobs, spaces: facts.spaces, active };
    const call = { operation: `job/${id}`, plan: extractedPlan, input: { request: id }, aside, job };
    await ledger.update(partition, call, { signal });
  });
}

/** A claim that ends before it begins, or has a name that is too long, must not take the others of its job along. */
function isWhole(claim: Claim, now: number): boolean {
  try {
    checkClaims([claim], now);
    return true;
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    return false;
  }
}

/** What the records of claims said when they were read, as a commit of claims is told. */
function textsOf({ claims }: Derived): ReadonlyMap<string, string> {
  return new Map(
    claims.map(({ source: { source, record } }) => [
      `${source.kind} ${source.id}`,
      ownerText(source.kind, record as OwnerRecords[typeof source.kind]),
    ]),
  );
}
