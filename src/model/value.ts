import * as z from "zod";
import { jsonSchema } from "./json.ts";
import { idSchema } from "./record.ts";

/** A keyed JSON value of long-term memory. One per (agent, scope, key); a stored null is a value. */
export const valueSchema = z.strictObject({
  agentId: idSchema,
  scope: idSchema,
  key: idSchema,
  value: jsonSchema,
});

export type KeyedValue = z.infer<typeof valueSchema>;
