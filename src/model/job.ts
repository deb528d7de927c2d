import * as z from "zod";
import { canonicalJson, type Json, jsonSchema } from "./json.ts";
import { idSchema } from "./record.ts";
import { utf8Length } from "./unicode.ts";

/** The most bytes of a job's payload: it holds ids and settings, never content. */
export const maxJobPayloadBytes = 65_536;

/** Work to be done after a commit, enqueued in it. */
export const newJobSchema = z.strictObject({
  /** Jobs of one queue and one partition run one after the other, in the order of their commits. */
  queue: idSchema,
  payload: jsonSchema
    .refine((value) => utf8Length(canonicalJson(value)) <= maxJobPayloadBytes, {
      error: `must be at most ${maxJobPayloadBytes} bytes: a job holds ids, never content`,
    })
    .optional(),
  /** The records it is about, which must be there. When the last of them is erased, the job goes. */
  sources: z.array(z.strictObject({ kind: idSchema, id: idSchema })).optional(),
  /** Milliseconds to wait before the first attempt. Jobs behind it in its queue wait as well. Default 0. */
  delay: z.int().nonnegative().optional(),
  /** Attempts before the job becomes a dead letter. Default 8. */
  maxAttempts: z.int().positive().optional(),
});

export type NewJob = Readonly<z.infer<typeof newJobSchema>>;

export type JobState = "waiting" | "leased" | "dead";

export interface Job {
  readonly id: string;
  readonly seq: number;
  readonly queue: string;
  readonly payload?: Json | undefined;
  readonly state: JobState;
  /** Attempts begun so far. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Not before this moment; for a leased job, the end of its lease. */
  readonly readyAt: number;
  /** The partition's erasure generation when the job was enqueued or last claimed. */
  readonly generation: number;
  /** Code of the last failure. */
  readonly error?: string | undefined;
}
