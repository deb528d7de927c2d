/** Values that many bodies have in common. */
import * as z from "zod";
import { grainSchema } from "../../model/grain.ts";
import { isPlainObject, type Json } from "../../model/json.ts";
import { messageSchema } from "../../model/message.ts";
import type { Metadata } from "../../model/metadata.ts";
import { provenanceSchema } from "../../model/record.ts";
import type { Filter } from "../../store/filter.ts";

export const timestamp = z
  .int()
  .min(-8.64e15)
  .max(8.64e15)
  .meta({ description: "Milliseconds since 1970-01-01T00:00:00Z." });

// Ids are checked by the memory, whose errors name what is wrong with them.
export const id = z.string();

export const sessionId = id.meta({ description: "The session it belongs to." });
export const agentId = id.meta({ description: "The agent it belongs to." });
export const provenance = provenanceSchema.meta({ description: "Who stands behind it." });
export const status = grainSchema.shape.status.meta({
  description: "Life-cycle state: it changes rank, never existence.",
});
export const ownerKind = grainSchema.shape.ownerKind.meta({ description: "What kind of record it is." });
export const role = messageSchema.shape.role.meta({ description: "Who speaks in a conversation." });

/** Checked by the memory, by whose rules a key such as "__proto__" is a key like any other. */
export const metadata = z.custom<Metadata>(isPlainObject, "must be an object").meta({
  type: "object",
  additionalProperties: {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "array", items: { type: "string" } },
    ],
  },
  description:
    "Flat data of your own, which searches can filter on: strings, numbers, booleans and lists of strings.",
  example: { topic: "food" },
});

export const filter = z.custom<Filter>(isPlainObject, "must be an object").meta({
  type: "object",
  description:
    "Conditions on metadata by key, which must all hold: a value, or `eq`, `in`, `gt`, `gte`, `lt`, `lte`, `exists`, `contains`; with `and`, `or` and `not` around filters.",
  example: { topic: { in: ["food", "health"] } },
});

export const json = z
  .unknown()
  .transform((value) => value as Json)
  .meta({ description: "Any JSON." });

export const importance = z.number().min(0).max(1).meta({
  description: "0 to 1: how much it matters; 0.5 is neutral.",
});
export const pinned = z.boolean().meta({ description: "Ranks above others that fit as well." });
export const expiresAt = timestamp.meta({
  description: "When it disappears for good, in milliseconds since 1970.",
});
export const saidAt = timestamp.meta({
  description: "When it was said or written, in milliseconds since 1970.",
});
export const author = z.string().meta({ description: "Who said or wrote it, as it is to be shown." });

/** A whole number in a query, where everything is text. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^-?\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}

export const queryTimestamp = wholeNumber(-8.64e15, 8.64e15);
