import type { NewJob } from "../model/job.ts";
import type { Ref } from "../model/record.ts";

/** The queue of the jobs by which a model derives statements and facts. Only who has a language model takes them. */
export const extractQueue = "extract";
/** The queue of the jobs by which rules derive facts. Every process that works takes them. */
export const factsQueue = "facts";

export type ExtractionQueue = typeof extractQueue | typeof factsQueue;

/**
 * UTF-16 units of text that a model is given at a time: about 1,000 tokens, which with 760 of instructions, 350 of facts and 450 of form
 * leaves 1,500 for the answer in the 4,096 that a local model is commonly run with. Rules read as much for one commit.
 */
export const windowUnits = 4000;
/** Texts that a model is given at a time. */
export const textsPerCall = 20;

interface QueueLimits {
  /** Texts of one job. */
  readonly texts: number;
  readonly attempts: number;
}

const limits: Readonly<Record<ExtractionQueue, QueueLimits>> = {
  // As for the jobs of an index: about twelve hours without a model.
  [extractQueue]: { texts: textsPerCall, attempts: 24 },
  [factsQueue]: { texts: 100, attempts: 8 },
};

/** A record that something is to be derived from. */
export interface ExtractSource extends Ref {
  /** Length of its text. */
  readonly units: number;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** Who is to read it. */
  readonly queues: readonly ExtractionQueue[];
}

/** The jobs that derive from records: texts of a session and an agent together, as many as one call or commit takes. */
export function extractionJobs(records: readonly ExtractSource[]): NewJob[] {
  return ([factsQueue, extractQueue] as const).flatMap((queue) =>
    jobsOf(
      queue,
      records.filter(({ queues }) => queues.includes(queue)),
    ),
  );
}

function jobsOf(queue: ExtractionQueue, records: readonly ExtractSource[]): NewJob[] {
  const groups: { units: number; readonly labels: string; readonly sources: Ref[] }[] = [];
  for (const { kind, id, units, sessionId, agentId } of records) {
    const labels = JSON.stringify([sessionId ?? null, agentId ?? null]);
    const last = groups.findLast((group) => group.labels === labels);
    if (
      last !== undefined &&
      last.units + units <= windowUnits &&
      last.sources.length < limits[queue].texts
    ) {
      last.units += units;
      last.sources.push({ kind, id });
    } else groups.push({ units, labels, sources: [{ kind, id }] });
  }
  return groups.map(({ sources }) => extractionJob(queue, sources));
}

/** A job that derives from records, or from one window of the text of a long one. */
export function extractionJob(queue: ExtractionQueue, sources: readonly Ref[], window = 0): NewJob {
  const payload = window === 0 ? {} : { payload: { window } };
  return { queue, sources: [...sources], ...payload, maxAttempts: limits[queue].attempts };
}
