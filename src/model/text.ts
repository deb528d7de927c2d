import * as z from "zod";
import {
  expiryFields,
  idSchema,
  labelFields,
  metadataFields,
  provenanceSchema,
  timestampSchema,
} from "./record.ts";

export const textFormSchema = z.enum(["note", "summary", "abstraction", "statement"]);
/**
 * A note was stored by a caller; a summary condenses messages; an abstraction condenses related grains; a statement is one thing
 * that a text or a message says.
 */
export type TextForm = z.infer<typeof textFormSchema>;

/** A text that belongs to no conversation: stored knowledge, or one derived from other records. */
export const textSchema = z.strictObject({
  ...labelFields,
  form: textFormSchema,
  content: z.string(),
  /** What texts that count as the same have in common, made by whoever decides that; found by index. */
  contentKey: idSchema.optional(),
  provenance: provenanceSchema,
  statedAt: timestampSchema,
  ...metadataFields,
  ...expiryFields,
});

export type StoredText = z.infer<typeof textSchema>;
