import type { FoundClaim, ShownFact } from "../../src/flux/extract-prompt.ts";
import type { LanguageModel, LanguageModelCall } from "../../src/language/model.ts";

/** A text as a model is shown it. */
export interface ShownItem {
  readonly number: number;
  readonly speaker: string;
  readonly date: string;
  readonly text: string;
}

type Answer =
  | string
  | readonly (string | { readonly text: string; readonly from: number })[]
  | { readonly claims: readonly Partial<FoundClaim>[] };

/**
 * A language model that answers as a test says: for the texts that it is shown, with what it writes, with statements or with claims
 * (of the first text, where it is not said of which). What the function throws is what a call fails with.
 */
export class ScriptedModel implements LanguageModel {
  readonly specificationVersion = "v4";
  readonly provider = "scripted";
  readonly modelId = "test";
  /** All calls so far. */
  readonly calls: LanguageModelCall[] = [];
  /** What it was shown, call by call. */
  readonly shown: ShownItem[][] = [];
  /** The facts that it was shown along with them. */
  readonly known: ShownFact[][] = [];
  answer: (texts: readonly ShownItem[], call: LanguageModelCall) => Answer | Promise<Answer>;

  constructor(answer: ScriptedModel["answer"] = () => []) {
    this.answer = answer;
  }

  async doGenerate(call: LanguageModelCall): Promise<Awaited<ReturnType<LanguageModel["doGenerate"]>>> {
    this.calls.push(call);
    const [, user] = call.prompt;
    const text = typeof user?.content === "string" ? user.content : (user?.content[0]?.text ?? "{}");
    const { texts, facts } = JSON.parse(text) as { readonly texts: ShownItem[]; readonly facts: ShownFact[] };
    this.shown.push(texts);
    this.known.push(facts);
    const written = write(await this.answer(texts, call));
    return { content: [{ type: "text", text: written }], finishReason: { unified: "stop", raw: "stop" } };
  }
}

function write(answer: Answer): string {
  if (typeof answer === "string") return answer;
  if ("claims" in answer)
    return JSON.stringify({ claims: answer.claims.map((claim) => ({ from: 1, ...claim })) });
  return JSON.stringify({
    statements: answer.map((item) => (typeof item === "string" ? { text: item, from: 1 } : item)),
  });
}
