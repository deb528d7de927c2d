import { FluxError } from "../model/errors.ts";
import type { LanguageModel } from "./model.ts";

/**
 * What a model wrote: its text and, apart from it, its thoughts.
 *
 * @throws FluxError `model_failed` when it refused, or for what is no answer
 */
export function answerOf(
  answer: Awaited<ReturnType<LanguageModel["doGenerate"]>>,
  name: string,
): { readonly text: string; readonly thoughts: string } {
  const { content, finishReason } = Object(answer) as Partial<typeof answer>;
  const { unified } = Object(finishReason) as { readonly unified?: unknown };
  const reason = unified ?? finishReason;
  if (reason === "content-filter")
    throw new FluxError("model_failed", `${name} refused to answer`, {
      hint: "What it was sent is kept as it is, and nothing is derived from it.",
    });
  if (!Array.isArray(content))
    throw new FluxError("model_failed", `${name} gave an answer that cannot be read`, { retryable: true });
  const join = (type: string): string =>
    content
      .filter((part) => part?.type === type && typeof part.text === "string")
      .map((part) => part.text)
      .join("");
  return { text: join("text"), thoughts: join("reasoning") };
}
