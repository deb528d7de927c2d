import * as z from "zod";
import { expiryFields, idSchema, labelFields, provenanceSchema, timestampSchema } from "./record.ts";
import { utf8Length } from "./unicode.ts";

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
export const worldTimeSchema = z.strictObject({
  at: timestampSchema,
  precision: precisionSchema,
  /** The words it was read from, and the IANA time zone they were read in. */
  words: z.string().optional(),
  zone: z.string().optional(),
});
export type WorldTime = z.infer<typeof worldTimeSchema>;

/** The most UTF-8 bytes of a subject or object in the form in which it is compared. */
export const maxKeyBytes = 256;

const keySchema = idSchema.refine((key) => utf8Length(key) <= maxKeyBytes, {
  error: `must be at most ${maxKeyBytes} bytes`,
});

/** Believed; said, but something else holds at that time; or not believed any more. */
export const factStatusSchema = z.enum(["current", "contested", "retired"]);

/**
 * Why a version is not believed any more: a later version of the same fact took its place (`replaced`); another fact holds at that time,
 * as was said later (`superseded`) or by somebody who knows better (`contested`); or it was never so (`corrected`: another fact was
 * meant, `retracted`).
 */
const retirementSchema = z.enum(["replaced", "superseded", "contested", "corrected", "retracted"]);
export type Retirement = z.infer<typeof retirementSchema>;

/** One time that a fact was said, or that it was said to have ended. */
const evidenceSchema = z.strictObject({
  ...labelFields,
  saidAt: timestampSchema,
  provenance: provenanceSchema,
  /** 0 to 1. */
  confidence: z.number().min(0).max(1),
  /** What it said of the world time, if it did. */
  validFrom: worldTimeSchema.optional(),
  validUntil: worldTimeSchema.optional(),
  /** How many objects the subject has of the predicate at a time, where that was said. */
  cardinality: z.enum(["one", "many"]).optional(),
  /** It says that the fact ceased to hold at `validUntil`. */
  ends: z.literal(true).optional(),
  /** The records that say it; absent where it was told to the memory itself. */
  sources: z
    .array(
      z.strictObject({
        kind: idSchema,
        id: idSchema,
        start: z.int().nonnegative().optional(),
        end: z.int().nonnegative().optional(),
      }),
    )
    .optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * One version of a fact: a claim (subject, predicate, object) with the world time in which it holds, half-open, and the
 * record time in which this version was believed. Versions are only added; the newest of a `factId` by `seq` counts, and
 * a version that a later one replaced is `retired` at that moment. Where it came from are its sources in the ledger: one that
 * says something else by now takes its part of the evidence along, whoever else says the version.
 */
export const factSchema = z.strictObject({
  ...labelFields,
  factId: idSchema,
  subject: idSchema,
  predicate: idSchema,
  object: z.string(),
  /** Subject and object in the form in which they are compared, see `canonicalKey`. */
  subjectKey: keySchema,
  objectKey: keySchema,
  /** False for a denial: "does not eat meat". */
  affirmed: z.boolean(),
  /** 0 to 1. */
  confidence: z.number().min(0).max(1),
  provenance: provenanceSchema,
  validFrom: worldTimeSchema.optional(),
  validUntil: worldTimeSchema.optional(),
  status: factStatusSchema,
  /** Record time from which this version was believed: that of the commit, or of an import the original's. */
  recordedFrom: timestampSchema,
  /** Record time from which it was not believed any more, and why; present exactly when it is not current. */
  retiredAt: timestampSchema.optional(),
  retiredReason: retirementSchema.optional(),
  /** How often the same was said again. */
  mentions: z.int().nonnegative().optional(),
  /** The times that it was said; of many the first and the newest. Absent: once, with the times of the version. */
  evidence: z.array(evidenceSchema).optional(),
  /** Why this version was written: the rule or decision, by name. */
  reason: z.string().optional(),
  ...expiryFields,
});

export type FactVersion = z.infer<typeof factSchema>;
