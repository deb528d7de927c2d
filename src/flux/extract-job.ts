import { generate } from "../language/generate.ts";
import { FluxError } from "../model/errors.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { type Derived, derivedOf, textsBehind } from "./extract-ahead.ts";
import { checkStatements } from "./extract-check.ts";
import { checkClaims } from "./extract-claims.ts";
import { commitDerived } from "./extract-commit.ts";
import { type Findings, findingsSchema, instructions, type ShownFact, showTexts } from "./extract-prompt.ts";
import { extractionJob, extractQueue } from "./extract-queue.ts";
import { Readings } from "./extract-reading.ts";
import { readSources, type SourceText } from "./extract-sources.ts";
import type { Extraction } from "./extraction.ts";
import { knownFacts } from "./known-facts.ts";
import type { FluxParts } from "./open-flux.ts";

/** Tokens of an answer: twenty statements and as many claims. */
const maxOutputTokens = 2000;
/**
 * Attempts after which a job is given up, by what it fails with. It would hold up the jobs behind it, and an answer of no use is
 * about this text; a model that does not answer is waited for.
 */
const patience: Readonly<Partial<Record<FluxError["code"], number>>> = {
  ...{ model_failed: 3, quota_exceeded: 3, timeout: 5 },
};
/** Of what the model refuses: another of the texts that it was shown at first may have been the reason. */
const patienceForRefusals = 2;

/**
 * Derives statements and claims from the records of a job by the model, and commits them as it completes the job. What was erased,
 * has expired or was hidden before that is not there: an erasure in the partition ends the lease, and then nothing is committed.
 */
export async function runExtractJob(
  parts: FluxParts,
  extraction: Extraction,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  try {
    await derive(parts, extraction, job, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (FluxError.isInstance(error)) {
      const { code, retryable } = error;
      const refused = code === "model_failed" && !retryable;
      const most = refused ? patienceForRefusals : (patience[code] ?? Number.POSITIVE_INFINITY);
      if (job.attempts >= most) await parts.ledger.jobs.fail(job, { error: code, dead: true, signal });
    }
    throw error;
  }
}

async function derive(
  parts: FluxParts,
  extraction: Extraction,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { window = 0 } = (job.payload ?? {}) as { readonly window?: number };
  const { texts, more } = await readSources(parts.ledger, job.partition, {
    refs: job.sources,
    window,
    signal,
  });
  if (texts.length === 0) return;
  const derived =
    extraction.ahead.take(job, texts) ?? (await askFor(parts, extraction, { job, texts, signal }));
  const jobs = more ? [extractionJob(extractQueue, job.sources, window + 1)] : [];
  await commitDerived(parts, { job, derived, jobs, signal });
}

/** Has the model look at the texts behind as well, unless it is a later attempt: one of them may be why the first one failed. */
async function askFor(
  parts: FluxParts,
  extraction: Extraction,
  {
    job,
    texts,
    signal,
  }: { readonly job: ClaimedJob; readonly texts: readonly SourceText[]; readonly signal: AbortSignal },
): Promise<Derived> {
  const behind = job.attempts > 1 ? [] : await textsBehind(parts.ledger, job, texts, signal);
  const shown = [...texts, ...behind];
  const known = await knownFacts(parts, job.partition, shown, signal);
  const found = await ask(extraction, shown, known, signal);
  const readings = new Readings(shown, known, parts.indexes.active().analyser);
  const derived = {
    statements: checkStatements(found.statements, shown, readings),
    claims: checkClaims(found.claims, shown, { known, from: parts.extractFrom, readings }),
  };
  extraction.ahead.keep(job, behind, derived);
  return derivedOf(texts, derived);
}

async function ask(
  extraction: Extraction,
  texts: readonly SourceText[],
  known: readonly ShownFact[],
  signal: AbortSignal,
): Promise<Findings> {
  try {
    const findings = await generate(extraction.model, {
      ...{ system: instructions, user: showTexts(texts, known) },
      ...{ schema: findingsSchema, name: "findings", maxOutputTokens, signal },
    });
    extraction.answered();
    return findings;
  } catch (error) {
    signal.throwIfAborted();
    extraction.failed(error);
    throw error;
  }
}
