import * as z from "zod";
import { idSchema, timestampSchema } from "./record.ts";

/** A weighted, typed, directed edge between two grains. One per (from, to, relation); goes when either end goes. */
export const conduitSchema = z.strictObject({
  fromId: idSchema,
  toId: idSchema,
  relation: idSchema,
  /** 0 to 1. */
  weight: z.number().min(0).max(1),
  useCount: z.int().nonnegative(),
  lastUsedAt: timestampSchema.optional(),
});

export type Conduit = z.infer<typeof conduitSchema>;
