import * as z from "zod";
import { id, queryTimestamp, timestamp, wholeNumber } from "./values.ts";

export const feedbackRequest = z
  .strictObject({
    trace_id: id.meta({ description: "Of the retrieval." }),
    grain_id: id.meta({ description: "`id` of one of its grains." }),
    useful: z.boolean(),
  })
  .meta({ id: "FeedbackRequest" });

export const feedbackBatchRequest = z
  .strictObject({
    items: z
      .array(feedbackRequest)
      .max(1000)
      .meta({ description: "At most 1,000; all of them are recorded, or none." }),
  })
  .meta({ id: "FeedbackBatchRequest" });

export const feedbackResult = z
  .object({
    trace_id: id,
    grain_id: id,
    useful: z.boolean(),
    status: z.enum(["recorded", "unchanged", "changed"]).meta({
      description: "`unchanged` when the caller had said the same before, `changed` when the opposite.",
    }),
  })
  .meta({ id: "FeedbackResult" });

export const feedbackResults = z.object({ items: z.array(feedbackResult) }).meta({ id: "FeedbackResults" });

export const pendingQuery = z.strictObject({
  since: queryTimestamp.optional().meta({ description: "Asked at this moment or later, in milliseconds." }),
  limit: wholeNumber(1, 1000).optional().meta({ description: "Retrievals at most. Default 100." }),
});

const pending = z
  .object({
    trace_id: id,
    query: z.string().meta({ description: "Its beginning." }),
    asked_at: timestamp,
    hits: z.number().meta({ description: "Grains that were returned." }),
    grain_ids: z.array(id).meta({ description: "Those without feedback." }),
  })
  .meta({ id: "PendingTrace" });

export const pendingTraces = z
  .object({ pending_traces: z.array(pending).meta({ description: "The oldest first." }) })
  .meta({ id: "PendingFeedback" });
