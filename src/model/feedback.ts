import * as z from "zod";
import { idSchema } from "./record.ts";

/** Whether a hit of a retrieval was of use to whoever asked. Goes when its grain goes. */
export const feedbackSchema = z.strictObject({
  /** The retrieval, which may be gone by now: traces are telemetry. */
  traceId: idSchema,
  grainId: idSchema,
  /** Who says so, as in the trace; absent for nobody in particular. */
  caller: idSchema.optional(),
  useful: z.boolean(),
});

export type Feedback = z.infer<typeof feedbackSchema>;
