import * as z from "zod";
import {
  expiryFields,
  idSchema,
  labelFields,
  metadataFields,
  provenanceSchema,
  timestampSchema,
} from "./record.ts";

const grainOwnerKinds = ["message", "episode", "text", "fact"] as const;

export const grainStatusSchema = z.enum(["active", "dormant", "quarantined", "archived"]);
/** Life-cycle state: changes rank, never existence. */
export type GrainStatus = z.infer<typeof grainStatusSchema>;

/**
 * One unit of recall: an index entry that points to a span of its owner's text. The text lives in the owner alone; the
 * grain goes when its owner goes.
 */
export const grainSchema = z.strictObject({
  ...labelFields,
  ownerKind: z.enum(grainOwnerKinds),
  ownerId: idSchema,
  /** First UTF-16 unit of the span in the owner's text, and the one after its last; absent for the whole text. */
  start: z.int().nonnegative().optional(),
  end: z.int().nonnegative().optional(),
  status: grainStatusSchema,
  provenance: provenanceSchema,
  /** Who said or wrote it, as it is to be shown. */
  author: z.string().max(512).optional(),
  /** 0 to 1. */
  importance: z.number().min(0).max(1).optional(),
  pinned: z.boolean().optional(),
  /** How often the same was said again. */
  mentions: z.int().nonnegative().optional(),
  /** The grain that says what has become of this. */
  supersededBy: idSchema.optional(),
  /** When what it says was said or happened. */
  saidAt: timestampSchema,
  ...metadataFields,
  ...expiryFields,
});

export type Grain = z.infer<typeof grainSchema>;
