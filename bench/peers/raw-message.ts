import type { Content } from "../store.ts";

type Values = readonly unknown[];

/** A message of its columns, in the order in which both peers select them. */
export function decodeMessage(row: Values): Content {
  const [id, seq, updatedSeq, recordedAt, sessionId, agentId, role, content] = row;
  const [name, toolCalls, toolCallId, saidAt, metadata, expiresAt] = row.slice(8);
  const message: Record<string, unknown> = {
    id,
    seq,
    updatedSeq,
    recordedAt,
    sessionId,
    agentId,
    role,
    content,
    saidAt,
  };
  if (name !== null) message.name = name;
  if (toolCalls !== null) message.toolCalls = JSON.parse(toolCalls as string);
  if (toolCallId !== null) message.toolCallId = toolCallId;
  if (metadata !== null) message.metadata = JSON.parse(metadata as string);
  if (expiresAt !== null) message.expiresAt = expiresAt;
  return message as unknown as Content;
}
