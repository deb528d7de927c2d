import type { NewJob } from "../model/job.ts";
import type { Ref } from "../model/record.ts";

/** The queue of the jobs that derive statements. Only who has a language model takes them. */
export const extractQueue = "extract";

/**
 * UTF-16 units of text that a model is given at a time: about 1,500 tokens, which leaves room for the instructions and the
 * answer in the 4,096 that a local model is commonly run with.
 */
export const windowUnits = 6000;
/** Texts that a model is given at a time. */
export const textsPerCall = 20;
/** As for the jobs of an index: about twelve hours without a model. */
const attempts = 24;

/** A record that statements are to be derived from. */
export interface ExtractSource extends Ref {
  /** Length of its text. */
  readonly units: number;
  readonly sessionId: string | undefined;
}

/** Jobs that derive statements: texts of a session together, as many as one call takes. */
export function extractJobs(records: readonly ExtractSource[]): NewJob[] {
  const groups: { units: number; readonly sessionId: string | undefined; readonly sources: Ref[] }[] = [];
  for (const { kind, id, units, sessionId } of records) {
    const last = groups.findLast((group) => group.sessionId === sessionId);
    if (last !== undefined && last.units + units <= windowUnits && last.sources.length < textsPerCall) {
      last.units += units;
      last.sources.push({ kind, id });
    } else groups.push({ units, sessionId, sources: [{ kind, id }] });
  }
  return groups.map(({ sources }) => extractJob(sources));
}

/** A job that derives statements from records, or from one window of the text of a long one. */
export function extractJob(sources: readonly Ref[], window = 0): NewJob {
  const payload = window === 0 ? {} : { payload: { window } };
  return { queue: extractQueue, sources: [...sources], ...payload, maxAttempts: attempts };
}
