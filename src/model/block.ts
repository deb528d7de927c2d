import * as z from "zod";
import { idSchema, timestampSchema } from "./record.ts";

/** A small named text that is always put in front of the model. One per (agent, name). */
export const blockSchema = z.strictObject({
  /** Whose block it is; absent for a block that all agents of the user share. */
  agentId: idSchema.optional(),
  name: idSchema,
  content: z.string(),
  /** Place among the blocks, lowest first; ties by name. */
  position: z.int(),
  pinned: z.boolean().optional(),
  /** The most UTF-8 bytes its content may have. */
  maxBytes: z.int().positive().optional(),
  /** When it was last written. */
  updatedAt: timestampSchema.optional(),
});

export type Block = z.infer<typeof blockSchema>;
