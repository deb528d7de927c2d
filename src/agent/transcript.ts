import { defined } from "../flux/draft.ts";
import type { TranscriptCall, TranscriptMessage } from "../memory/episodes.ts";
import { describe, FluxTypeError } from "../model/errors.ts";
import type { HistoryMessage } from "./history.ts";

/** A message of a run as far as a transcript looks at it. */
export interface RunMessage {
  readonly role: string;
  readonly content: string;
  readonly name?: string | undefined;
  /** Of an assistant: calls, each with its id and name; a {@link HistoryMessage} has them as they were stored. */
  readonly toolCalls?: HistoryMessage["toolCalls"];
  readonly toolCallId?: string | undefined;
}

/**
 * The tool transcript of a run, for `remember`: what assistants said while they called tools, with the calls, and the results, in order.
 * Empty for a run without tools. `remember` cuts what is too long.
 *
 * @param messages of this run alone, without the history before it
 * @throws FluxTypeError `invalid_argument`, also for calls in a provider's own form
 */
export function transcriptOf(messages: readonly RunMessage[]): TranscriptMessage[] {
  if (!Array.isArray(messages))
    throw new FluxTypeError("invalid_argument", `messages must be a list, not ${describe(messages)}`);
  return messages.flatMap(
    ({ role, content, name, toolCalls, toolCallId }: RunMessage): TranscriptMessage[] => {
      if (role === "tool") return [{ role, content, ...defined({ name, toolCallId }) }];
      if (role !== "assistant" || toolCalls === undefined) return [];
      const calls = callsOf(toolCalls);
      return calls.length === 0 ? [] : [{ role, content, toolCalls: calls }];
    },
  );
}

function callsOf(toolCalls: RunMessage["toolCalls"]): readonly TranscriptCall[] {
  if (Array.isArray(toolCalls) && toolCalls.every(isCall)) return toolCalls;
  throw new FluxTypeError("invalid_argument", "toolCalls of a message must be a list of calls", {
    hint: "A call is { id, name, arguments }, whatever form the provider gives it.",
  });
}

function isCall(value: unknown): value is TranscriptCall {
  const { id, name } = Object(value) as { readonly [key in keyof TranscriptCall]?: unknown };
  return typeof id === "string" && typeof name === "string";
}
