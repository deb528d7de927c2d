import { generate } from "../language/generate.ts";
import { presentOf } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { textsBehind } from "./extract-ahead.ts";
import { type CheckedStatement, checkStatements } from "./extract-check.ts";
import { type FoundStatement, instructions, showTexts, statementsSchema } from "./extract-prompt.ts";
import { extractionJob, extractQueue } from "./extract-queue.ts";
import { readSources, type SourceText } from "./extract-sources.ts";
import type { Extraction } from "./extraction.ts";
import type { FluxParts } from "./open-flux.ts";
import { statementDraft } from "./statement.ts";
import { statementPlan } from "./statement-plan.ts";
import { commitDrafts, cutDraft } from "./store-batch.ts";

/** Tokens of an answer: twenty statements and more. */
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
 * Derives statements from the records of a job and stores them, in the commit that completes it. What was erased, has expired or
 * was hidden before that is not there: an erasure in the partition ends the lease, and then nothing is committed.
 */
export async function runExtractJob(
  parts: FluxParts,
  extraction: Extraction,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  try {
    await deriveStatements(parts, extraction, job, signal);
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

async function deriveStatements(
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
  const statements =
    extraction.ahead.take(job, texts) ?? (await askFor(parts, extraction, { job, texts, signal }));
  const jobs = more ? [extractionJob(extractQueue, job.sources, window + 1)] : [];
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

/** Has the model look at the texts behind as well, unless it is a later attempt: one of them may be why the first one failed. */
async function askFor(
  { ledger, indexes }: FluxParts,
  extraction: Extraction,
  {
    job,
    texts,
    signal,
  }: { readonly job: ClaimedJob; readonly texts: readonly SourceText[]; readonly signal: AbortSignal },
): Promise<readonly CheckedStatement<SourceText>[]> {
  const behind = job.attempts > 1 ? [] : await textsBehind(ledger, job, texts, signal);
  const shown = [...texts, ...behind];
  const found = await ask(extraction, shown, signal);
  const statements = checkStatements(found, shown, indexes.active().analyser);
  extraction.ahead.keep(job, behind, statements);
  return statements.filter(({ source }) => texts.includes(source));
}

async function ask(
  extraction: Extraction,
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly FoundStatement[]> {
  try {
    const { statements } = await generate(extraction.model, {
      ...{ system: instructions, user: showTexts(texts) },
      ...{ schema: statementsSchema, name: "statements", maxOutputTokens, signal },
    });
    extraction.answered();
    return statements;
  } catch (error) {
    signal.throwIfAborted();
    extraction.failed(error);
    throw error;
  }
}
