import type { LanguageModel, LanguageModelCall } from "../../src/language/model.ts";

/** A text as a model is shown it. */
export interface ShownItem {
  readonly number: number;
  readonly speaker: string;
  readonly date: string;
  readonly text: string;
}

type Answer = string | readonly string[] | readonly { readonly text: string; readonly from: number }[];

/**
 * A language model that answers as a test says: for the texts that it is shown, with what it writes or with statements (of the
 * first text, where it is not said of which). What the function throws is what a call fails with.
 */
export class ScriptedModel implements LanguageModel {
  readonly specificationVersion = "v4";
  readonly provider = "scripted";
  readonly modelId = "test";
  /** All calls so far. */
  readonly calls: LanguageModelCall[] = [];
  /** What it was shown, call by call. */
  readonly shown: ShownItem[][] = [];
  answer: (texts: readonly ShownItem[], call: LanguageModelCall) => Answer | Promise<Answer>;

  constructor(answer: ScriptedModel["answer"] = () => []) {
    this.answer = answer;
  }

  async doGenerate(call: LanguageModelCall): Promise<Awaited<ReturnType<LanguageModel["doGenerate"]>>> {
    this.calls.push(call);
    const [, user] = call.prompt;
    const text = typeof user?.content === "string" ? user.content : (user?.content[0]?.text ?? "[]");
    const texts = JSON.parse(text) as ShownItem[];
    this.shown.push(texts);
    const answer = await this.answer(texts, call);
    const statements =
      typeof answer === "string"
        ? answer
        : answer.map((item) => (typeof item === "string" ? { text: item, from: 1 } : item));
    const written = typeof statements === "string" ? statements : JSON.stringify({ statements });
    return { content: [{ type: "text", text: written }], finishReason: { unified: "stop", raw: "stop" } };
  }
}
