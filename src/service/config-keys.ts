import * as z from "zod";
import { isStorable } from "../model/unicode.ts";
import { isLoopback } from "./loopback.ts";

const text = z
  .string()
  .min(1)
  .max(2048)
  .refine(
    (value) => value === value.trim() && isStorable(value) && !/\p{Cc}/u.test(value),
    "must not begin or end with white space, and must have no control characters",
  );
const whole = (least: number, most: number) => z.int().min(least).max(most);
const day = 86_400;

/**
 * Every key of the configuration, with its range, its default and what it does: the one source of the check, of the
 * commented file and of the table in docs/service.md.
 */
export const configKeys = {
  OPERATING_MODE: z
    .enum(["flux_extracts", "caller_extracts"])
    .default("flux_extracts")
    .describe(
      "Who makes single facts of what is stored: flux_extracts has rules do it in the background, and a language model where one answers; caller_extracts leaves it to the callers, and nothing is derived",
    ),
  STORE: text
    .optional()
    .describe(
      "Where the memory is kept: a path of a SQLite file, or a URL of a store. Default: flux.db in the instance's folder",
    ),
  EMBEDDER: text
    .optional()
    .describe(
      "What makes the vectors of a new store: static, openai, sentence-encoder and others, see docs/embedders.md; none for a memory by words alone. Default: what FLUX_EMBEDDER names, openai where there is an OPENAI_API_KEY, else static",
    ),
  REST_HOST: z
    .string()
    .refine(isLoopback, "must be a loopback address: 127.0.0.1, ::1 or localhost")
    .default("127.0.0.1")
    .describe("Address that the REST API listens at; of this machine only"),
  REST_PORT: whole(0, 65_535).default(7465).describe("Port of the REST API; 0 for any free one"),
  MCP_SERVER_NAME: text.max(100).default("flux-memory").describe("Name by which MCP clients know the server"),
  TOP_K: whole(1, 100)
    .default(5)
    .describe("Memories that a recall returns unless it asks for another number"),
  READ_WORKERS: whole(1, 64).default(3).describe("Recalls that run at once; others wait in order"),
  MAX_GRAINS_PER_CALL: whole(1, 1000).default(100).describe("Items that one call may store"),
  MAX_GRAINS_PER_MINUTE: whole(1, 1_000_000)
    .default(500)
    .describe("Items that one caller may store within any 60 seconds"),
  MAX_WRITE_QUEUE_DEPTH: whole(1, 100_000)
    .default(1000)
    .describe("Writes that are taken on and not done; more are refused"),
  FEEDBACK_ENFORCEMENT_ENABLED: z
    .boolean()
    .default(true)
    .describe(
      "Whether a caller that gave no feedback on what it recalled must give it before it recalls again",
    ),
  FEEDBACK_ENFORCEMENT_GRACE_SECONDS: whole(0, day)
    .default(60)
    .describe("Seconds after a recall in which feedback is not yet missed"),
  FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS: whole(1, 365 * day)
    .default(day)
    .describe("Seconds after a recall from which on missing feedback is forgiven; more than the grace"),
  TRACE_RETENTION_DAYS: whole(1, 36_500)
    .default(30)
    .describe("Days for which recalls are remembered, so that feedback can be given"),
  PURGE_UNDO_WINDOW_HOURS: whole(1, 87_600).default(24).describe("Hours in which a purge can be undone"),
  HEALTH_TICK_MINUTES: whole(0, 1440)
    .default(15)
    .describe(
      "Minutes between two looks at the service's health, which its events tell of, and the daemon's log when it has changed; 0 for none",
    ),
  LLM_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .default("http://localhost:11434")
    .describe(
      "Where the language model of flux_extracts answers; at the default, models of other providers than Ollama answer where their provider is",
    ),
  LLM_MODEL: text
    .default("llama3.1:8b")
    .describe("Name of the language model of flux_extracts; none for rules alone"),
  LLM_TIMEOUT_SECONDS: whole(1, 3600)
    .default(30)
    .describe("Seconds that the language model may take for one answer"),
} as const;

const schema = z.object(configKeys);
export type ConfigValues = Readonly<z.output<typeof schema>>;
export type ConfigOptions = Readonly<z.input<typeof schema>>;
export type ConfigKey = keyof typeof configKeys;
export type OperatingMode = ConfigValues["OPERATING_MODE"];

export const configSchema = schema.refine(
  (values) => values.FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS > values.FEEDBACK_ENFORCEMENT_GRACE_SECONDS,
  {
    path: ["FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS"],
    message: "must be more than FEEDBACK_ENFORCEMENT_GRACE_SECONDS",
  },
);

/** The default of a key; undefined for one that may be left out. */
export function defaultOf(key: ConfigKey): string | number | boolean | undefined {
  const type: z.ZodType = configKeys[key];
  return type.safeParse(undefined).data as string | number | boolean | undefined;
}

/** What a key does, as a sentence without its full stop. */
export function aboutOf(key: ConfigKey): string {
  return configKeys[key].description as string;
}
