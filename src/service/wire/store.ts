import * as z from "zod";
import { degradation } from "./retrieve.ts";
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
  role,
  saidAt,
  sessionId,
} from "./values.ts";

const itemFields = {
  content: z.string().optional().meta({
    description:
      "What is to be remembered, word for word. Of an episode, there are `input` and `output` instead.",
  }),
  role: role.optional().meta({
    description: "Makes it a message of a conversation, which is always kept and needs a session.",
  }),
  provenance: provenance.optional().meta({
    description:
      "Who stands behind a text. Default `ai_stated`: only the caller can know that it was the user. Not of messages, whose role tells.",
  }),
  author: author.optional(),
  session_id: sessionId.optional(),
  said_at: saidAt.optional().meta({
    description: "When it was said or written, in milliseconds since 1970. Default now.",
  }),
  expires_at: expiresAt.optional(),
  importance: importance.optional(),
  pinned: pinned.optional(),
  metadata: metadata.optional(),
  tool_calls: json.optional().meta({ description: "Tool calls of an assistant's message." }),
  tool_call_id: id.optional().meta({ description: "The call that a tool's message answers." }),
  input: z.string().optional().meta({
    description:
      "Makes it an episode, one exchange: what the user said. Empty where only the output is kept.",
  }),
  output: z.string().optional().meta({
    description: "Of an episode: what was answered. Empty where only the input is kept.",
  }),
  transcript: json.optional().meta({
    description: "Of an episode: tool calls and results in order. Kept, not searched.",
  }),
  id: id.optional().meta({
    description:
      "Of an episode: an id of your own. Stored again with the same content it has no effect; with other content the episode is replaced.",
  }),
};

type Kinded = Readonly<Partial<Record<keyof typeof itemFields, unknown>>>;

const ofMessages = ["tool_calls", "tool_call_id"] as const;
const ofEpisodes = ["transcript", "id"] as const;

/** Texts, messages and episodes share one schema, so that a misspelt property is told as such. */
function checkKind(item: Kinded, context: z.RefinementCtx): void {
  const isEpisode = item.input !== undefined || item.output !== undefined;
  const [names, message] = isEpisode
    ? ([["content", "role", "provenance", "author", ...ofMessages], "does not belong to episodes"] as const)
    : item.role === undefined
      ? ([[...ofMessages, ...ofEpisodes], "does not belong to texts"] as const)
      : ([["provenance", ...ofEpisodes], "does not belong to messages, whose role says who speaks"] as const);
  for (const name of names) {
    if (item[name] !== undefined) context.addIssue({ code: "custom", path: [name], message });
  }
  for (const name of isEpisode ? (["input", "output"] as const) : (["content"] as const)) {
    if (item[name] === undefined)
      context.addIssue({ code: "custom", path: [name], message: "must be a string" });
  }
}

export const storeItem = z.strictObject(itemFields).superRefine(checkKind).meta({
  id: "StoreItem",
  description: "A text, with a `role` a message of a conversation, or with `input` and `output` an episode.",
});
export type WireItem = z.infer<typeof storeItem>;

export const storeRequest = z
  .strictObject({ ...itemFields, agent_id: agentId.optional() })
  .superRefine(checkKind)
  .meta({
    id: "StoreRequest",
    description:
      "A text, with a `role` a message of a conversation, or with `input` and `output` an episode.",
    example: { content: "Alice is allergic to nuts", provenance: "user_stated" },
  });

export const storeBatchRequest = z
  .strictObject({
    items: z
      .array(storeItem)
      .max(1000)
      .meta({ description: "At most 1,000; all of them are stored, or none." }),
    agent_id: agentId.optional(),
  })
  .meta({
    id: "StoreBatchRequest",
    example: { items: [{ content: "Bob likes tea" }, { content: "Bob lives in Oslo" }] },
  });

export const stored = z
  .object({
    grain_id: id.optional().meta({
      description: "The first of `grain_ids`, for feedback. Absent where there are none.",
    }),
    record_id: id.meta({
      description: "The record that says it: the new one, or the one that said it already.",
    }),
    kind: ownerKind,
    grain_ids: z.array(id).meta({
      description:
        "Its units of recall in order; of a mention, the one that counts it; none without text, and of what is unchanged.",
    }),
    status: z.enum(["stored", "mentioned", "unchanged", "replaced"]).meta({
      description:
        "Whether it was new, or known already and counted as a mention. Of an episode whose id is there: `unchanged` if it says the same, and else `replaced`.",
    }),
    indexed: z.enum(["now", "later"]).meta({
      description: "Whether it is found by meaning at once, or soon. By its words it is found at once.",
    }),
    degraded: z.array(degradation).optional().meta({
      description:
        "Present when something does not work as it could, such as the model that derives statements.",
    }),
    compared: z.literal(false).optional().meta({
      description:
        "Present when the operation was done before and it cannot be told any more whether this call was the same.",
    }),
  })
  .meta({ id: "Stored" });

export const storedBatch = z
  .object({ items: z.array(stored).meta({ description: "In the order of the request." }) })
  .meta({ id: "StoredBatch" });
