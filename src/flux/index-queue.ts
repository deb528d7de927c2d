import type { NewJob } from "../model/job.ts";

/** The queue of the jobs that make what is missing of a space. Only who has its analyser or embedder takes them. */
export function indexQueue(space: number): string {
  return `index/${space}`;
}

/** The queue of the jobs that make a space anew, a partition at a time. They wait for no others. */
export function walkQueue(space: number): string {
  return `walk/${space}`;
}

/** Grains of one job: a bounded piece of work, whatever was stored at once. */
const grainsPerJob = 500;

/**
 * Attempts before a job is a dead letter: with pauses that double from a second to an hour, about twelve hours without an
 * embedder; and eight and a half minutes for a rebuild, which somebody waits for.
 */
export const indexAttempts = 24;
const walkAttempts = 10;

/** Jobs that make entries of grains for a space. */
export function indexJobs(space: number, grainIds: readonly string[]): NewJob[] {
  const jobs: NewJob[] = [];
  for (let at = 0; at < grainIds.length; at += grainsPerJob) {
    const sources = grainIds.slice(at, at + grainsPerJob).map((id) => ({ kind: "grain", id }));
    jobs.push({ queue: indexQueue(space), sources, delay: 1000, maxAttempts: indexAttempts });
  }
  return jobs;
}

/** The entries that a commit cannot make, by space. */
export class MissingEntries {
  readonly #grains = new Map<number, string[]>();

  add(grainId: string, spaces: readonly number[] = []): void {
    for (const space of spaces) {
      const grains = this.#grains.get(space);
      if (grains === undefined) this.#grains.set(space, [grainId]);
      else grains.push(grainId);
    }
  }

  /** Jobs that make them. */
  jobs(): NewJob[] {
    return [...this.#grains].flatMap(([space, grainIds]) => indexJobs(space, grainIds));
  }
}

/** A job that walks through the grains of a partition, from a cursor on. */
export function walkJob(space: number, after?: string): NewJob {
  const payload = after === undefined ? {} : { after };
  return { queue: walkQueue(space), payload, maxAttempts: walkAttempts };
}
