import { FluxError } from "../model/errors.ts";
import type { LanguageModel, ModelMessage, ModelUsage } from "./model.ts";
import type { ResolvedModel } from "./resolve.ts";

/** Milliseconds after which a call that the budget refused is asked for again. */
const laterAgain = 3_600_000;

/**
 * Asks whether a call may be made.
 *
 * @throws FluxError `rate_limited` when it may not, with `budget` among the details; what the caller's function throws is its cause
 */
export async function checkBudget(
  { name: model, budget }: ResolvedModel,
  prompt: readonly ModelMessage[],
  maxOutputTokens: number,
): Promise<void> {
  if (budget === undefined) return;
  const inputUnits = prompt.reduce((sum, { content }) => sum + lengthOf(content), 0);
  let cause: unknown;
  try {
    if ((await budget({ model, inputUnits, maxOutputTokens })) === true) return;
  } catch (error) {
    // Rather no call than one that nobody allowed.
    cause = error;
  }
  throw new FluxError("rate_limited", `The budget allows no call of ${model} now`, {
    hint: "The work waits, and is tried again later.",
    retryable: true,
    cause,
    details: { budget: true, retryAfter: laterAgain },
  });
}

/** Whether a failure is a refusal of the budget, rather than of the service. */
export function isOverBudget(error: unknown): boolean {
  return FluxError.isInstance(error) && error.details?.budget === true;
}

function lengthOf(content: ModelMessage["content"]): number {
  return typeof content === "string"
    ? content.length
    : content.reduce((sum, { text }) => sum + text.length, 0);
}

/** Tells what a call has used. */
export function tellUsage(
  { name: model, onUsage }: ResolvedModel,
  answered: Awaited<ReturnType<LanguageModel["doGenerate"]>>,
): void {
  try {
    onUsage?.({ model, ...tokensOf(answered) });
  } catch {
    // The answer was paid for: it counts, whatever becomes of the books.
  }
}

function tokensOf(answered: unknown): Pick<ModelUsage, "inputTokens" | "outputTokens"> {
  const { inputTokens, outputTokens } = Object(Object(answered).usage);
  const [input, output] = [inputTokens, outputTokens].map(totalOf);
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}

function totalOf(tokens: unknown): number | undefined {
  const total: unknown = typeof tokens === "number" ? tokens : Object(tokens).total;
  return typeof total === "number" && total >= 0 ? total : undefined;
}
