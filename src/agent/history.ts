import type { SessionMessage } from "../memory/episodes.ts";
import type { Role } from "../model/message.ts";

/** A message of a session, for a model. */
export interface HistoryMessage {
  readonly role: Exclude<Role, "system">;
  readonly content: string;
  readonly name?: string | undefined;
  /** Tool calls of an assistant's message, as its provider gave them. */
  readonly toolCalls?: SessionMessage["toolCalls"] | undefined;
  /** The call that a tool's message answers. */
  readonly toolCallId?: string | undefined;
}

/** A history in turns: each begins with what the user says, but for what comes before the first. */
export function turnsOf(history: readonly HistoryMessage[]): HistoryMessage[][] {
  const turns: HistoryMessage[][] = [];
  for (const message of history) {
    const turn = turns.at(-1);
    if (turn === undefined || message.role === "user") turns.push([message]);
    else turn.push(message);
  }
  return turns;
}
