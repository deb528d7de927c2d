import * as z from "zod";
import { expiryFields, idSchema, labelFields } from "./record.ts";

const traceHitSchema = z.strictObject({
  grainId: idSchema,
  score: z.number(),
  /** A short keyed mark of the text that was returned, by which it is recognised when it comes back. */
  fingerprint: z.string().max(16).optional(),
});

/** The record of one retrieval, which feedback refers to. Telemetry: an erasure in the partition drops its traces. */
export const traceSchema = z.strictObject({
  ...labelFields,
  query: z.string(),
  hits: z.array(traceHitSchema).max(200),
  /** Who asked, as client:role. */
  caller: idSchema.optional(),
  /** Present when whoever asked has said of every hit whether it was of use. */
  feedback: z.literal("complete").optional(),
  ...expiryFields,
});

export type Trace = z.infer<typeof traceSchema>;
