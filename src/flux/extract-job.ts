import { generate } from "../language/generate.ts";
import { presentOf } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { Partition } from "../model/partition.ts";
import type { Source, Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";
import { cutToUnits } from "../text/cut.ts";
import { contentKey } from "./content-key.ts";
import { type CheckedStatement, checkStatements } from "./extract-check.ts";
import {
  type FoundStatement,
  instructions,
  maxSpeaker,
  type ShownText,
  showTexts,
  statementsSchema,
} from "./extract-prompt.ts";
import { extractJob, windowUnits } from "./extract-queue.ts";
import type { Extraction } from "./extraction.ts";
import type { FluxParts } from "./open-flux.ts";
import { splitPieces } from "./pieces.ts";
import { commitDrafts, cutDraft } from "./store-batch.ts";
import type { Draft } from "./store-items.ts";

/** Windows of one text that are read; what is behind them is kept as it is, and nothing is derived from it. */
const maxWindows = 16;
/** Tokens of an answer: twenty statements and more. */
const maxOutputTokens = 2000;
/**
 * Attempts after which a job is given up, by what it fails with. It would hold up the jobs behind it, and an answer of no use is
 * about this text; a model that does not answer is waited for.
 */
const patience: Readonly<Partial<Record<FluxError["code"], number>>> = {
  ...{ model_failed: 3, quota_exceeded: 3, timeout: 5 },
};

/** A text with what its statements take over from it. */
interface SourceText extends ShownText {
  readonly source: Source;
  readonly record: Stored<Message> | Stored<StoredText>;
}

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
    const most = FluxError.isInstance(error) ? patience[error.code] : undefined;
    if (FluxError.isInstance(error) && most !== undefined && (job.attempts >= most || refused(error)))
      await parts.ledger.jobs.fail(job, { error: error.code, dead: true, signal });
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
  const { texts, more } = await readSources(parts, job, window, signal);
  if (texts.length === 0) return;
  const found = await ask(extraction, texts, signal);
  const statements = checkStatements(found, texts, parts.indexes.active().analyser);
  const jobs = more ? [extractJob(job.sources, window + 1)] : [];
  if (statements.length + jobs.length === 0) return;
  await commitDrafts(parts, job.partition, {
    operation: `job/${job.id}`,
    // The commit carries the job, and so happens once.
    input: { request: job.id },
    cuts: statements.map((statement) => ({
      ...cutDraft(draftOf(statement)),
      sources: [statement.source.source],
    })),
    echoes: new Map(),
    now: presentOf(parts.clock),
    ...{ jobs, job, signal },
  });
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

/** The same would be refused again. */
function refused({ code, retryable }: FluxError): boolean {
  return code === "model_failed" && !retryable;
}

/** The texts of a job's records as the model is shown them, and whether the last one goes on. */
async function readSources(
  { ledger }: FluxParts,
  { partition, sources }: ClaimedJob,
  window: number,
  signal: AbortSignal,
): Promise<{ readonly texts: readonly SourceText[]; readonly more: boolean }> {
  const read = await Promise.all(
    sources.map(({ kind, id }) =>
      kind === "message" || kind === "text" ? readSource(ledger, partition, { kind, id }, signal) : undefined,
    ),
  );
  let more = false;
  const texts = read.flatMap((found) => {
    if (found === undefined) return [];
    const { record, grain, kind } = found;
    const spans = splitPieces(record.content, windowUnits);
    const span = spans[window];
    if (span === undefined) return [];
    more ||= window + 1 < Math.min(spans.length, maxWindows);
    const { start, end } = span;
    const part = spans.length === 1 ? {} : { start, end };
    return [
      {
        speaker: speakerOf(grain),
        saidAt: grain.saidAt,
        text: record.content.slice(start, end),
        source: { kind, id: record.id, ...part },
        record,
      },
    ];
  });
  return { texts, more };
}

async function readSource(
  ledger: FluxParts["ledger"],
  partition: Partition,
  { kind, id }: { readonly kind: "message" | "text"; readonly id: string },
  signal: AbortSignal,
): Promise<
  | {
      readonly kind: "message" | "text";
      readonly record: Stored<Message> | Stored<StoredText>;
      readonly grain: Stored<Grain>;
    }
  | undefined
> {
  const grains = find("grain", { index: "byOwner", prefix: [kind, id], limit: 1 });
  const [record, page] = await ledger.read([partition], [get(kind, id), grains], { signal });
  const [grain] = page.items;
  return record === undefined || grain === undefined ? undefined : { kind, record, grain };
}

function speakerOf({ author, provenance }: Grain): string {
  if (author !== undefined && author.trim() !== "") return cutToUnits(author.trim(), maxSpeaker);
  if (provenance === "external_source") return "a document";
  return provenance === "ai_stated" ? "the assistant" : "the user";
}

/** A statement has the labels, the time, the metadata and the end of what states it, so that the same conditions find it. */
function draftOf({ text, source: { record, source, saidAt } }: CheckedStatement<SourceText>): Draft {
  const { sessionId, agentId, metadata, expiresAt } = record;
  const provenance = "ai_inferred" as const;
  const taken = Object.fromEntries(
    Object.entries({ sessionId, agentId, metadata, expiresAt }).filter(([, value]) => value !== undefined),
  ) as Pick<StoredText, "sessionId" | "agentId" | "metadata" | "expiresAt">;
  // Of one source each, so that it goes with that one, and never counts as a note that somebody stored.
  const key = contentKey(text, { provenance: "statement", author: `${source.kind}/${source.id}` });
  return {
    at: saidAt,
    record: {
      kind: "text",
      value: { ...taken, form: "statement", content: text, contentKey: key, provenance },
    },
    grain: { ...taken, provenance },
  };
}
