import * as z from "zod";
import { type CallerOptions, callerRoles } from "../callers.ts";
import type { ServiceScope } from "../service-types.ts";
import { feedbackRequest, feedbackResult, pendingTraces } from "../wire/feedback.ts";
import { record } from "../wire/grains.ts";
import { retrieved, retrieveRequest } from "../wire/retrieve.ts";
import { health, onboarding } from "../wire/service.ts";
import { stored } from "../wire/store.ts";
import {
  agentId,
  author,
  expiresAt,
  importance,
  metadata,
  pinned,
  provenance,
  role,
  saidAt,
  sessionId,
  status,
} from "../wire/values.ts";

/** The longest text that one call may store, in UTF-16 units. */
export const maxContentUnits = 1_000_000;
const maxQueryUnits = 100_000;

/** How much of a memory a list shows, in UTF-16 units. */
export const listedUnits = 300;

/** Whose memory it is and who calls: every tool takes them. */
const whoFields = {
  client: z.string().optional().meta({
    description: 'A stable name of your program, such as "codex". Default: the name of the MCP client.',
  }),
  role: z.enum(callerRoles).optional().meta({ description: "What you are doing. Default chat." }),
  caller_id: z.string().optional().meta({
    description: 'Client and role in one, such as "codex:chat". client and role win over it.',
  }),
  user_id: z.string().optional().meta({
    description: "The user whose memory it is. Default: the one memory that belongs to no user by name.",
  }),
  namespace: z
    .string()
    .optional()
    .meta({ description: 'Keeps users of several applications apart. Default "default".' }),
};

type Who = z.infer<z.ZodObject<typeof whoFields>>;

/** What a call says about itself, as the service takes it. */
export function scopeOf(
  { client, role, caller_id, user_id, namespace }: Who,
  labels: Pick<ServiceScope, "sessionId" | "agentId">,
  mcpClient: string,
): ServiceScope {
  const caller: CallerOptions = {
    client: client ?? (caller_id === undefined ? mcpClient : undefined),
    role,
    callerId: caller_id,
  };
  return { userId: user_id ?? null, namespace, caller, ...labels };
}

const retrieveFields = retrieveRequest.shape;

export const storeInput = z.strictObject({
  content: z.string().max(maxContentUnits).meta({
    description: "What is to be remembered, in words that can be understood alone.",
  }),
  provenance: provenance.optional().meta({
    description:
      "Who stands behind it: user_stated for what the user said, ai_stated (the default) for what you said, ai_inferred for what you concluded, external_source for what you read.",
  }),
  message_role: role.optional().meta({
    description:
      "Makes it a message of a conversation, said by this one, in place of provenance. Needs session_id.",
  }),
  author: author.optional(),
  said_at: saidAt.optional(),
  metadata: metadata.optional(),
  importance: importance.optional(),
  pinned: pinned.optional(),
  expires_at: expiresAt.optional(),
  session_id: sessionId.optional(),
  agent_id: agentId.optional(),
  operation_id: z.string().optional().meta({
    description: "A name for this call, for a retry: the same call with the same name has its effect once.",
  }),
  ...whoFields,
});

export const retrieveInput = z.strictObject({
  query: z
    .string()
    .max(maxQueryUnits)
    .meta({ description: "In any words; best those that the memory would contain." }),
  limit: retrieveFields.limit.meta({
    description: "Memories at most, 1 to 100. Default: as the service is configured.",
  }),
  max_tokens: retrieveFields.max_tokens,
  session_ids: retrieveFields.session_ids,
  from: retrieveFields.from,
  until: retrieveFields.until,
  filter: retrieveFields.filter,
  asked_at: retrieveFields.asked_at,
  zone: retrieveFields.zone,
  session_id: sessionId.optional().meta({ description: "The session in which it is asked." }),
  agent_id: agentId.optional().meta({ description: "The agent that asks." }),
  ...whoFields,
});

export const feedbackInput = z.strictObject({
  ...feedbackRequest.shape,
  useful: z.boolean().meta({ description: "Whether it bore on your answer." }),
  ...whoFields,
});

export const pendingInput = z.strictObject({
  limit: z.int().min(1).max(1000).optional().meta({ description: "Retrievals at most. Default 100." }),
  ...whoFields,
});

export const listInput = z.strictObject({
  status: status.optional().meta({ description: "Only with this one. Default: all of them." }),
  limit: z.int().min(1).max(200).default(50).meta({ description: "Memories in the page. Default 50." }),
  order: z.enum(["newest", "oldest"]).optional().meta({ description: "Default: the newest first." }),
  after: z.string().optional().meta({ description: "`cursor` of the page before." }),
  session_id: sessionId.optional().meta({ description: "Only of this session." }),
  agent_id: agentId.optional().meta({ description: "Only of this agent." }),
  filter: retrieveFields.filter,
  ...whoFields,
});

export const healthInput = z.strictObject(whoFields);
export const onboardInput = z.strictObject(whoFields);

const listed = record
  .extend({
    content: z.string().meta({ description: `What was said, as far as ${listedUnits} characters reach.` }),
    truncated: z.literal(true).optional().meta({ description: "Present when it goes on." }),
  })
  .meta({ id: "ListedGrain" });

export const outputs = {
  store: stored,
  retrieve: retrieved,
  feedback: feedbackResult,
  pending: pendingTraces,
  list: z.object({
    grains: z.array(listed),
    count: z.int().meta({ description: "Memories in this page." }),
    cursor: z.string().optional().meta({ description: "Where to go on; absent on the last page." }),
  }),
  health,
  onboard: onboarding,
} as const;
