import * as z from "zod";
import {
  agentId,
  author,
  filter,
  id,
  metadata,
  ownerKind,
  provenance,
  saidAt,
  sessionId,
  status,
  timestamp,
} from "./values.ts";

/** `null` stands for those that have none. */
const labels = (what: string) =>
  z
    .array(id.nullable())
    .optional()
    .meta({ description: `Only of these ${what}; null for those without.` });

export const retrieveRequest = z
  .strictObject({
    query: z.string().meta({ description: "In any words." }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Grains at most. Default: TOP_K of the configuration." }),
    min_score: z
      .number()
      .optional()
      .meta({ description: "Grains with a lower score are left out. Default 0." }),
    max_tokens: z.int().positive().optional().meta({
      description: "Tokens that the grains may come to when they are rendered, as estimated.",
    }),
    alpha: z.number().min(0).max(1).optional().meta({
      description: "What counts: from 0, the words of the query alone, to 1, its vector alone. Default 0.5.",
    }),
    by_score: z.boolean().optional().meta({
      description:
        "Leaves the grains in the order of their scores: what was replaced may stand before what replaced it. Default false.",
    }),
    session_ids: labels("sessions"),
    agent_ids: labels("agents"),
    kinds: z.array(ownerKind).optional().meta({ description: "Only of these kinds. Default: all but fact." }),
    provenance: z.array(provenance).optional().meta({ description: "Only with one of these." }),
    status: z.array(status).optional().meta({ description: "Only with one of these." }),
    from: timestamp.optional().meta({ description: "Said at this moment or later." }),
    until: timestamp.optional().meta({ description: "Said before this moment." }),
    filter: filter.optional(),
    asked_at: timestamp.optional().meta({
      description: 'When it is asked, which "last week" refers to. Default now.',
    }),
    zone: z.string().optional().meta({
      description: 'Where it is asked: an IANA name or an offset. Default "UTC".',
    }),
  })
  .meta({ id: "RetrieveRequest", example: { query: "allergies", limit: 5 } });
export type WireQuery = z.infer<typeof retrieveRequest>;

const signal = z
  .object({
    name: z.string().meta({
      description:
        "`words`, `related`, `meaning`, `neighbours`, `session`, `speaker`, `date`, `phrase`, `statement`, `rerank`, `newer` or `replaces`.",
    }),
    score: z.number().meta({ description: "What it added to the score." }),
  })
  .meta({ id: "Signal", description: "One reason for a score." });

const hit = z
  .object({
    id: id.meta({ description: "Of the grain, which feedback refers to." }),
    record_id: id.meta({ description: "The record that says it." }),
    kind: ownerKind,
    content: z.string().meta({
      description: "What was said, word for word: the whole of it or, of a long text, the best piece.",
    }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "Present when it was cut to fit `max_tokens`." }),
    author: author.optional(),
    said_at: saidAt,
    session_id: sessionId.optional(),
    agent_id: agentId.optional(),
    status,
    provenance,
    superseded_by: id.optional().meta({
      description: "Present when what it says was replaced: the grain that says what holds now.",
    }),
    metadata: metadata.optional(),
    score: z.number().meta({
      description: "The sum of the signals; about 1 for one that has every word of the query.",
    }),
    similarity: z
      .number()
      .optional()
      .meta({ description: "Cosine of its vector with the query's, where it is among the nearest." }),
    signals: z.array(signal).meta({ description: "Why it was found, the strongest reason first." }),
  })
  .meta({ id: "RetrievedGrain" });

export const cause = z
  .object({ code: z.string(), hint: z.string().optional(), retryable: z.boolean().optional() })
  .meta({ id: "Cause" });

export const degradation = z
  .object({
    code: z.enum([
      "embedder_failed",
      "embedder_missing",
      "reranker_failed",
      "arm_failed",
      "analyser_missing",
      "index_incomplete",
      "extractor_unavailable",
    ]),
    reason: z.string(),
    cause: cause.optional(),
  })
  .meta({ id: "Degradation", description: "Something that does not work as it could." });

const milliseconds = z.number();
const timings = z
  .object({
    analyse: milliseconds,
    embed: milliseconds,
    gather: milliseconds,
    score: milliseconds,
    read: milliseconds,
    rerank: milliseconds,
    pack: milliseconds,
    total: milliseconds,
  })
  .meta({ id: "Timings", description: "Milliseconds of each stage." });

export const retrieved = z
  .object({
    trace_id: id.optional().meta({
      description: "Names this retrieval, for feedback. Absent when no traces are kept.",
    }),
    grains: z.array(hit).meta({ description: "The best first." }),
    confidence: z.number().meta({
      description: "0 to 1: whether what was found answers the query at all.",
    }),
    degraded: z.array(degradation).meta({ description: "Empty when all is well." }),
    seq: z.number().meta({ description: "The partition's sequence number that the search saw." }),
    candidates: z.number().meta({ description: "Grains that were scored." }),
    timings,
  })
  .meta({ id: "Retrieved" });
