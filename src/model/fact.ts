import * as z from "zod";
import { expiryFields, idSchema, labelFields, provenanceSchema, timestampSchema } from "./record.ts";

/** How exactly a world time is known: "2019" is a year, "last week" a week. */
const precisionSchema = z.enum([
  "instant",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "season",
  "year",
]);

/** A world time as it was given. */
const worldTimeSchema = z.strictObject({
  at: timestampSchema,
  precision: precisionSchema,
  /** The words it was read from, and the IANA time zone they were read in. */
  words: z.string().optional(),
  zone: z.string().optional(),
});
export type WorldTime = z.infer<typeof worldTimeSchema>;

const factStatusSchema = z.enum(["current", "retired"]);

/**
 * One version of a fact: a claim (subject, predicate, object) with the world time in which it holds, half-open, and the
 * record time in which this version was believed. Versions are only added; the newest of a `factId` by `seq` counts, and
 * a version that a later one replaced is `retired` at that moment. Where it came from are its sources in the ledger.
 */
export const factSchema = z.strictObject({
  ...labelFields,
  factId: idSchema,
  subject: idSchema,
  predicate: idSchema,
  object: z.string(),
  /** False for a denial: "does not eat meat". */
  affirmed: z.boolean(),
  /** 0 to 1. */
  confidence: z.number().min(0).max(1),
  provenance: provenanceSchema,
  validFrom: worldTimeSchema.optional(),
  validUntil: worldTimeSchema.optional(),
  status: factStatusSchema,
  /** Record time at which a later version replaced this one; present exactly when retired. */
  retiredAt: timestampSchema.optional(),
  /** Why this version was written: the rule or decision, by name. */
  reason: z.string().optional(),
  ...expiryFields,
});

export type FactVersion = z.infer<typeof factSchema>;
