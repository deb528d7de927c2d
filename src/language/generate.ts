import * as z from "zod";
import { attempted } from "../embed/models/attempts.ts";
import { FluxError } from "../model/errors.ts";
import { cutToUnits } from "../text/cut.ts";
import { answerOf } from "./answer.ts";
import type { LanguageModelCall, ModelMessage } from "./model.ts";
import { readJson } from "./read-json.ts";
import type { ResolvedModel } from "./resolve.ts";
import { checkBudget, tellUsage } from "./usage.ts";

export interface GenerateRequest<T> {
  /** What the model is to do. Nothing that was stored belongs here. */
  readonly system: string;
  /** What it is to do it with. */
  readonly user: string;
  /** The form of the answer: an object. What it makes of an answer is what is returned. */
  readonly schema: z.ZodType<T>;
  /** Names the form, for models that want to be told. */
  readonly name: string;
  /** Tokens that the answer may have. */
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

/** UTF-16 units of an answer of no use that the model is shown again. */
const shownAgain = 4000;

/**
 * Has a model answer in a form. An answer of another form is sent back once, to be put right. Whoever calls it tries again
 * later, or does not: what failed for another reason is not repeated here.
 *
 * @throws FluxError `model_failed` for a refusal (not retryable) or an answer of no use, `unauthorized`, `rate_limited` (also
 *   by the model's budget),
 *   `timeout`, `unavailable`, and what loading the model fails with; the reason of an aborted signal. Nothing of what was sent
 *   or answered is in an error
 */
export async function generate<T>(model: ResolvedModel, request: GenerateRequest<T>): Promise<T> {
  const { system, user, schema, signal } = request;
  const form = z.toJSONSchema(schema);
  const asked: ModelMessage[] = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: user }] },
  ];
  const first = await ask(model, asked, request, form);
  const found = read(first, schema);
  if (found !== undefined) return found;
  signal?.throwIfAborted();
  const shown = cutToUnits(first.text, shownAgain);
  const again: ModelMessage[] = [
    ...asked,
    ...(shown.trim() === ""
      ? []
      : [{ role: "assistant" as const, content: [{ type: "text" as const, text: shown }] }]),
    {
      role: "user",
      content: [{ type: "text", text: `${repair}\n${JSON.stringify(form)}` }],
    },
  ];
  const second = read(await ask(model, again, request, form), schema);
  if (second !== undefined) return second;
  throw new FluxError("model_failed", `${model.name} did not answer in the form that was asked for`, {
    hint: "Some models are too small for it: choose another one.",
    retryable: true,
  });
}

const repair =
  "That was not an answer in the form that was asked for. Answer anew with one JSON object and nothing else, by this JSON schema:";

interface Answer {
  readonly text: string;
  /** What it thought, if it tells. */
  readonly thoughts: string;
}

function read<T>({ text, thoughts }: Answer, schema: z.ZodType<T>): T | undefined {
  // Some servers take all that a model writes for thoughts.
  return readJson(text, schema) ?? (text.trim() === "" ? readJson(thoughts, schema) : undefined);
}

async function ask<T>(
  resolved: ResolvedModel,
  prompt: ModelMessage[],
  { name: form, maxOutputTokens, signal }: GenerateRequest<T>,
  schema: object,
): Promise<Answer> {
  const { name, timeout } = resolved;
  const { model } = await resolved.load();
  const call = (more: Omit<LanguageModelCall, "prompt">): Promise<Answer> => {
    const answer = async (abortSignal: AbortSignal): Promise<Answer> => {
      await checkBudget(resolved, prompt, maxOutputTokens);
      abortSignal.throwIfAborted();
      const answered = await model.doGenerate({ prompt, maxOutputTokens, ...more, abortSignal });
      tellUsage(resolved, answered);
      return answerOf(answered, name);
    };
    return attempted(answer, { name, retries: 0, timeout, signal });
  };
  try {
    return await call({ temperature: 0, responseFormat: { type: "json", schema, name: form } });
  } catch (error) {
    if (statusOf(error) === 404) throw notThere(name, error);
    // Servers that do not know forms of answers, and models that have one temperature, refuse the call.
    if (!refusesOptions(error)) throw error;
    return call({});
  }
}

function refusesOptions(error: unknown): boolean {
  return [400, 422, 501].includes(statusOf(error) ?? 0);
}

function statusOf(error: unknown): number | undefined {
  const { status } = Object(Object(error).cause) as { readonly status?: unknown };
  return typeof status === "number" ? status : undefined;
}

function notThere(name: string, cause: unknown): FluxError {
  const [provider, model] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
  return new FluxError("unavailable", `There is no ${name} (HTTP 404)`, {
    hint: provider === "ollama" ? `ollama pull ${model}` : "Check the name of the model and the base URL.",
    retryable: true,
    cause,
  });
}
