import * as z from "zod";
import { jsonSchema } from "./json.ts";
import { expiryFields, idSchema, labelFields, metadataFields, timestampSchema } from "./record.ts";

export const roleSchema = z.enum(["system", "user", "assistant", "tool"]);
/** Who speaks in a conversation. */
export type Role = z.infer<typeof roleSchema>;

/** One entry of a conversation. Its place in the session is its `seq`, so equal times keep their order. */
export const messageSchema = z.strictObject({
  ...labelFields,
  sessionId: idSchema,
  role: roleSchema,
  content: z.string(),
  /** The speaker, where a role has several. */
  name: z.string().optional(),
  /** Tool calls of an assistant's message, as its provider gave them. */
  toolCalls: jsonSchema.optional(),
  /** The call that a tool's message answers. */
  toolCallId: idSchema.optional(),
  /** When it was said. */
  saidAt: timestampSchema,
  ...metadataFields,
  ...expiryFields,
});

export type Message = z.infer<typeof messageSchema>;
