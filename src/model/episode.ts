import * as z from "zod";
import { jsonSchema } from "./json.ts";
import { expiryFields, labelFields, metadataFields, timestampSchema } from "./record.ts";

/** One exchange: what came in, what went out, and optionally the tools used in between. */
export const episodeSchema = z.strictObject({
  ...labelFields,
  input: z.string(),
  output: z.string(),
  /** Tool calls and results in order. An empty list is kept apart from none. */
  transcript: jsonSchema.optional(),
  occurredAt: timestampSchema,
  ...metadataFields,
  ...expiryFields,
});

export type Episode = z.infer<typeof episodeSchema>;
