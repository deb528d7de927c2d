import * as z from "zod";
import { isPlainObject } from "../../model/json.ts";
import type { Filter } from "../../store/filter.ts";
import {
  agentId,
  author,
  expiresAt,
  id,
  importance,
  json,
  metadata,
  ownerKind,
  pinned,
  provenance,
  queryTimestamp,
  role,
  saidAt,
  sessionId,
  status,
  timestamp,
  wholeNumber,
} from "./values.ts";

export const grainPath = z.strictObject({
  id: id.meta({
    description: "Of a record or of one of its grains.",
    example: "0123456789abcdefghjkmnpqrs-0",
  }),
});

export const record = z
  .object({
    id,
    kind: ownerKind,
    content: z.string().meta({
      description:
        "What was said, word for word; of an episode, input and output, a line each where there are both.",
    }),
    input: z.string().optional().meta({ description: "Of an episode: what came in." }),
    output: z.string().optional().meta({ description: "Of an episode: what went out." }),
    transcript: json.optional().meta({ description: "Of an episode: tool calls and results in order." }),
    author: author.optional(),
    role: role.optional(),
    provenance,
    status,
    said_at: saidAt,
    recorded_at: timestamp.meta({ description: "When it was stored." }),
    version: z.int().meta({ description: "Rises with every change; also the `ETag`." }),
    session_id: sessionId.optional(),
    agent_id: agentId.optional(),
    metadata: metadata.optional(),
    importance: importance.optional(),
    pinned: z.literal(true).optional(),
    mentions: z.int().meta({ description: "How often the same was said again." }),
    expires_at: expiresAt.optional(),
    grain_ids: z.array(id).meta({ description: "Its units of recall, in the order of the text." }),
    repaired: z.literal(true).optional().meta({
      description: "Present when lone surrogates or NUL were replaced.",
    }),
  })
  .meta({ id: "Grain", description: "A stored text, message or episode as a whole." });

export const page = z
  .object({
    grains: z.array(record),
    cursor: z.string().optional().meta({
      description: "Where to go on, as `after`; absent on the last page. Also as a `Link` header.",
    }),
  })
  .meta({ id: "GrainPage" });

export const listQuery = z.strictObject({
  status: status.optional(),
  kind: z.enum(["text", "message", "episode"]).optional().meta({ description: "Only of this kind." }),
  session_id: sessionId.optional(),
  agent_id: agentId.optional(),
  provenance: provenance.optional(),
  from: queryTimestamp.optional().meta({ description: "Said at this moment or later, in milliseconds." }),
  until: queryTimestamp.optional().meta({ description: "Said before this moment, in milliseconds." }),
  filter: z
    .string()
    .transform((text, context): Filter => {
      try {
        const value: unknown = JSON.parse(text);
        if (isPlainObject(value)) return value as Filter;
      } catch {}
      context.addIssue({ code: "custom", message: "must be a JSON object" });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: "Conditions on metadata, as JSON.", example: '{"topic":"food"}' }),
  order: z.enum(["newest", "oldest"]).optional().meta({ description: "Default `newest` first." }),
  limit: wholeNumber(1, 1000).optional().meta({ description: "Grains in the page. Default 50." }),
  after: z.string().optional().meta({ description: "`cursor` of the page before." }),
});

export const changes = z
  .strictObject({
    content: z.string().optional().meta({
      description: "Of a text. What was said in a conversation stays as it was said.",
    }),
    provenance: provenance.optional(),
    metadata: metadata.nullable().optional().meta({ description: "Takes the place of all metadata." }),
    importance: importance.nullable().optional(),
    pinned: pinned.optional(),
    expires_at: expiresAt.nullable().optional(),
  })
  .meta({
    id: "GrainChanges",
    description: "What is left out stays as it is; `null` takes an optional property away.",
    example: { pinned: true },
  });

export const deleteQuery = z.strictObject({
  undo_window: wholeNumber(0, 8.64e15).optional().meta({
    description:
      "Milliseconds in which it can be undone. Default: PURGE_UNDO_WINDOW_HOURS of the configuration.",
  }),
});

export const purged = z
  .object({ id, erased_at: timestamp.meta({ description: "When it will be erased, unless it is undone." }) })
  .meta({ id: "Purged" });

export const eraseRequest = z
  .strictObject({
    id: id.optional().meta({
      description:
        "Of a text, a message, an episode, a fact or a block, or of one of their grains: erase it.",
    }),
    session_id: id.optional().meta({
      description: "Erase every record of the session; with `from` or `until`, those of that time.",
    }),
    from: timestamp.optional().meta({
      description: "Erase what was said or happened at this moment or later, in milliseconds.",
    }),
    until: timestamp.optional().meta({ description: "Erase what was said or happened before this moment." }),
    text: z.string().min(1).optional().meta({
      description:
        "Erase whatever holds these words, one after the other: in what it says, in its metadata or tool calls.",
    }),
    everything: z.literal(true).optional().meta({ description: "Erase everything of this user." }),
  })
  .refine(
    ({ id, session_id, from, until, text, everything }) =>
      [id, text, everything, session_id ?? from ?? until].filter((value) => value !== undefined).length === 1,
    { message: "must have one of id, session_id, from and until, text, and everything" },
  )
  .meta({
    id: "EraseRequest",
    description: "One of them; `from`, `until` and `session_id` go together.",
    example: { session_id: "s-1" },
  });

export const erased = z
  .object({
    id: id.meta({ description: "Of the erasure." }),
    state: z.enum(["logically_erased", "physically_erased"]).meta({
      description: "Physically once the bytes are gone from the files, too.",
    }),
    recorded_at: timestamp,
    seq: z.number(),
    counts: z.record(z.string(), z.number()).meta({ description: "How many rows went, by kind." }),
  })
  .meta({ id: "Erased" });
