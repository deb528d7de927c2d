import { checkKnown, checkString } from "../flux/check-options.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { canonicalJson, copyJson, type Json } from "../model/json.ts";
import { utf8Length } from "../model/unicode.ts";
import { cutToBytes } from "../text/cut.ts";
import type { TranscriptCall, TranscriptMessage } from "./episodes.ts";
import { names } from "./option-names.ts";

/** UTF-8 bytes that are kept of each content and each arguments of a transcript unless the memory says otherwise. */
export const defaultTranscriptBytes = 50_000;

/**
 * A checked copy of a tool transcript, in which each content, and each arguments of a call, has at most so many bytes of what was
 * given: it is cut before a character, and a mark says how many bytes are missing. Arguments that are cut become a text.
 *
 * @param maxBytes 0 for no limit
 * @throws FluxTypeError or FluxError `invalid_argument`
 */
export function cappedTranscript(
  transcript: readonly TranscriptMessage[],
  maxBytes: number,
): TranscriptMessage[] {
  if (!Array.isArray(transcript))
    throw new FluxTypeError("invalid_argument", `transcript must be a list, not ${describe(transcript)}`);
  return transcript.map((message: TranscriptMessage) => {
    const { role, content, name, toolCalls, toolCallId } = checkKnown(
      message,
      names.transcriptMessage,
      "A message of a transcript",
    );
    if (role !== "assistant" && role !== "tool") {
      throw new FluxError("invalid_argument", "A message of a transcript is of an assistant or a tool", {
        hint: "What came in and what went out are the episode's input and output.",
      });
    }
    return {
      role,
      content: capText(checkString(content, "content of a transcript"), maxBytes),
      ...(name === undefined ? {} : { name: checkString(name, "name of a tool") }),
      ...(toolCallId === undefined ? {} : { toolCallId: checkString(toolCallId, "toolCallId") }),
      ...(toolCalls === undefined ? {} : { toolCalls: callsOf(toolCalls, maxBytes) }),
    };
  });
}

function callsOf(calls: readonly TranscriptCall[], maxBytes: number): TranscriptCall[] {
  if (!Array.isArray(calls))
    throw new FluxTypeError("invalid_argument", `toolCalls must be a list, not ${describe(calls)}`);
  return calls.map((call: TranscriptCall) => {
    const { id, name, arguments: given } = checkKnown(call, names.transcriptCall, "A tool call");
    return {
      id: checkString(id, "id of a tool call"),
      name: checkString(name, "name of a tool call"),
      ...(given === undefined ? {} : { arguments: capJson(given, maxBytes) }),
    };
  });
}

function capJson(given: Json, maxBytes: number): Json {
  const { copy, problem } = copyJson(given);
  if (problem !== undefined)
    throw new FluxTypeError("invalid_argument", `The arguments of a tool call ${problem}`);
  if (typeof copy === "string") return capText(copy, maxBytes);
  const text = canonicalJson(copy);
  const capped = capText(text, maxBytes);
  return capped === text ? copy : capped;
}

function capText(text: string, maxBytes: number): string {
  if (maxBytes === 0) return text;
  const kept = cutToBytes(text, maxBytes);
  return kept === text ? text : `${kept}… [${utf8Length(text) - utf8Length(kept)} bytes cut]`;
}
