import { defined } from "../flux/draft.ts";
import type { TranscriptCall, TranscriptMessage } from "../memory/episodes.ts";
import { describe, FluxTypeError } from "../model/errors.ts";

/** A message of a run as far as a transcript looks at it. */
export interface RunMessage {
  readonly role: string;
  readonly content: string;
  readonly name?: string | undefined;
  readonly toolCalls?: readonly TranscriptCall[] | undefined;
  readonly toolCallId?: string | undefined;
}

/**
 * The tool transcript of a run, for `remember`: what assistants said while they called tools, with the calls, and the results, in order.
 * Empty for a run without tools. `remember` cuts what is too long.
 *
 * @param messages of this run alone, without the history before it
 * @throws FluxTypeError `invalid_argument`
 */
export function transcriptOf(messages: readonly RunMessage[]): TranscriptMessage[] {
  if (!Array.isArray(messages))
    throw new FluxTypeError("invalid_argument", `messages must be a list, not ${describe(messages)}`);
  return messages.flatMap(
    ({ role, content, name, toolCalls, toolCallId }: RunMessage): TranscriptMessage[] => {
      if (role === "tool") return [{ role, content, ...defined({ name, toolCallId }) }];
      if (role !== "assistant" || toolCalls === undefined || toolCalls.length === 0) return [];
      return [{ role, content, toolCalls }];
    },
  );
}
