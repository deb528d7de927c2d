import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const folder = join(import.meta.dirname, "../../examples");

const turnSchema = z.strictObject({
  session_id: z.string().min(1),
  role: z.enum(["user", "assistant"]),
  /** Of the user. */
  name: z.string().min(1).optional(),
  said_at: z.iso.datetime({ offset: true, local: false }),
  content: z.string().min(1),
});

export type Turn = z.infer<typeof turnSchema>;

/** What `examples/conversation.jsonl` holds. */
export function readConversation(): readonly Turn[] {
  const lines = readFileSync(join(folder, "conversation.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => turnSchema.parse(JSON.parse(line)));
}

const questionsSchema = z.strictObject({
  asked_at: z.iso.datetime({ offset: true }),
  zone: z.string(),
  questions: z.array(
    z.strictObject({
      about: z.string(),
      question: z.string(),
      /** Part of the text of the best hit. */
      first: z.string().optional(),
      /** Part of the text of a hit behind it: what held before. */
      before: z.string().optional(),
      /** The best hit has no word of the question. */
      without_words: z.literal(true).optional(),
      confidence_below: z.number().optional(),
    }),
  ),
});

/** What `examples/questions.json` asks, and what has to be found. */
export function readQuestions(): z.infer<typeof questionsSchema> {
  return questionsSchema.parse(JSON.parse(readFileSync(join(folder, "questions.json"), "utf8")));
}
