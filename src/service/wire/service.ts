import * as z from "zod";
import { callerRoles } from "../callers.ts";
import { type ConfigValues, configKeys } from "../config-keys.ts";
import { cause, degradation } from "./retrieve.ts";
import { timestamp } from "./values.ts";

const operatingMode = configKeys.OPERATING_MODE.unwrap().meta({
  description:
    "Who makes single facts of what is stored: the service, by rules and a language model, or its callers.",
});

const warning = z
  .object({ code: z.string(), reason: z.string(), cause: cause.optional() })
  .meta({ id: "Warning", description: "Something that works worse than it could." });

const serviceHealth = {
  status: z.enum(["healthy", "unhealthy", "stopped"]).meta({
    description: "About the process, whatever there is in the store.",
  }),
  warnings: z.array(warning),
  operating_mode: operatingMode,
  started_at: timestamp.optional().meta({ description: "When the service was started." }),
  reads: z.object({ running: z.number(), waiting: z.number() }),
  writes: z.object({ waiting: z.number() }),
};

const memoryHealth = z
  .object({
    status: z.enum(["healthy", "degraded"]),
    degraded: z.array(degradation),
    records: z.number().meta({ description: "Records of all kinds." }),
    bytes: z.number().meta({ description: "Their bytes, as quotas count them." }),
    grains: z
      .object({
        active: z.number(),
        dormant: z.number(),
        quarantined: z.number(),
        archived: z.number(),
      })
      .meta({ description: "Grains by status." }),
    pending_feedback: z.number().meta({
      description:
        "Retrievals of this caller that have grains without feedback; 100 stands for that many and more.",
    }),
  })
  .meta({ id: "MemoryHealth", description: "The memory of this user, in figures." });

export const health = z
  .object({
    ...serviceHealth,
    memory: memoryHealth.optional().meta({ description: "Absent when the store does not answer." }),
  })
  .meta({ id: "Health" });

export const onboarding = z
  .object({
    instructions: z.string().meta({
      description: "How to use this memory, for a place that the agent always sees, such as its AGENTS.md.",
    }),
    operating_mode: operatingMode,
    model: z.string().optional().meta({ description: "The language model of `flux_extracts`." }),
    model_available: z.boolean().optional().meta({
      description: "Whether it answers; absent while that is not known.",
    }),
    server_name: z.string(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })).meta({
      description: "Of the MCP server.",
    }),
    roles: z.array(z.enum(callerRoles)),
  })
  .meta({ id: "Onboarding" });

const pending = z
  .object({ jobs: z.number(), dead: z.number(), errors: z.array(z.string()).optional() })
  .meta({ id: "Pending", description: "Jobs that wait, and those that failed too often." });

const maker = z.object({ id: z.string(), available: z.boolean() });

const memoryStatus = z
  .object({
    store: z.object({
      adapter: z.string(),
      durability: z.enum(["fsync", "os", "memory"]),
      shared: z.boolean(),
      schema_version: z.number(),
      vectors: z.enum(["pgvector", "in_process"]),
    }),
    embedder: maker.optional(),
    analyser: maker,
    spaces: z.array(
      z.object({
        id: z.number(),
        kind: z.enum(["lexical", "dense"]),
        maker: z.string(),
        dimensions: z.number().optional(),
        state: z.enum(["building", "active", "retired"]),
      }),
    ),
    degraded: z.array(degradation),
    pending: pending.meta({ description: "Jobs that make what is missing of the index." }),
    extraction: z.object({
      mode: operatingMode,
      rules: z.literal(true).optional().meta({ description: "Present when rules derive facts." }),
      model: z.string().optional(),
      available: z.boolean().optional().meta({ description: "Whether the model answers." }),
      cause: cause.optional(),
      over_budget: z
        .literal(true)
        .optional()
        .meta({ description: "Present when the budget refused the last call of the model." }),
      pending: pending.meta({ description: "Jobs by which rules and model derive facts and statements." }),
    }),
  })
  .meta({ id: "MemoryStatus" });

export const serviceStatus = z
  .object({
    ...serviceHealth,
    server_name: z.string(),
    config: z.custom<ConfigValues>().meta({
      type: "object",
      description: "The configuration, without passwords.",
    }),
    memory: memoryStatus.optional().meta({ description: "Absent when the store does not answer." }),
  })
  .meta({ id: "Status" });
