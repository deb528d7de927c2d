/**
 * A year of conversation, and five questions about it, asked in this process: `node examples/conversation.ts` after
 * `npm run build`. `npm start` does the same through a service.
 */
import { readFileSync } from "node:fs";
import { Flux, type MessageItem } from "flux-memory";

interface Turn {
  readonly session_id: string;
  readonly role: "user" | "assistant";
  readonly name?: string;
  readonly said_at: string;
  readonly content: string;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const turns = read("conversation.jsonl")
  .trimEnd()
  .split("\n")
  .map((line): Turn => JSON.parse(line));
const { asked_at, zone, questions } = JSON.parse(read("questions.json"));

await using flux = await Flux.open(process.argv[2] ?? "inmemory");
const memory = flux.for({ userId: "mara" });
const messages = turns.map(
  ({ session_id: sessionId, said_at, ...turn }): MessageItem => ({
    ...turn,
    sessionId,
    saidAt: Date.parse(said_at),
  }),
);
// Done again under the same name, for instance on a file that is kept, it has no second effect.
await memory.storeBatch(messages, { operation: "example-conversation" });

for (const { about, question } of questions) {
  const { hits, confidence } = await memory.recall(question, { k: 2, askedAt: Date.parse(asked_at), zone });
  console.log(`\n${question} (${about}; confidence ${confidence.toFixed(2)})`);
  for (const { author = "Assistant", saidAt, text } of hits)
    console.log(`  ${new Date(saidAt).toISOString().slice(0, 10)} ${author}: ${text}`);
}
