import type { Role } from "../../model/message.ts";
import { fieldsOf, given, metadataOf, stringOf, timeOf, wordsOf } from "./fields.ts";
import { type Imported, type ImportSource, imported, problem, sessionIdOf } from "./imported.ts";
import { jsonValues } from "./json-values.ts";

const roles: ReadonlyMap<unknown, Role> = new Map([
  ["human", "user"],
  ["assistant", "assistant"],
]);

/**
 * Reads conversations.json of a Claude export, one conversation at a time: what human and assistant said, without thoughts
 * and calls of tools, and the texts of attached files.
 */
export async function* readClaude({ text }: ImportSource): AsyncGenerator<Imported> {
  for await (const found of jsonValues(text, "conversation")) {
    if (found.type === "problem") yield found;
    else yield* conversationOf(found.value, `conversation ${found.number}`);
  }
}

function* conversationOf(value: unknown, place: string): Generator<Imported> {
  const { uuid, name, created_at, chat_messages } = fieldsOf(value);
  const id = stringOf(uuid);
  if (id === undefined) return yield problem(place, "has no uuid");
  if (!Array.isArray(chat_messages)) return yield problem(place, "has no chat_messages");
  const common = { sessionId: sessionIdOf("claude", id) };
  let saidAt = timeOf(created_at);
  for (const [i, entry] of chat_messages.entries()) {
    const message = fieldsOf(entry);
    const role = roles.get(message.sender);
    if (role === undefined) {
      yield problem(`${place}, message ${i + 1}`, "has no sender that is known");
      continue;
    }
    saidAt = timeOf(message.created_at) ?? saidAt;
    const messageId = stringOf(message.uuid) ?? String(i);
    const origin = { source: "claude", conversation: stringOf(name), message_id: messageId };
    for (const { content, file } of attachmentsOf(message.attachments)) {
      const metadata = metadataOf({ ...origin, file });
      const item = { text: content, provenance: "external_source", ...metadata } as const;
      yield imported(
        { ...common, ...item, ...given("statedAt", saidAt) },
        ...["claude", id, messageId, "attachment", content],
      );
    }
    const content = wordsOf(message.content) ?? stringOf(message.text);
    if (content === undefined) continue;
    const item = { ...common, role, content, ...given("saidAt", saidAt), ...metadataOf(origin) };
    yield imported(item, "claude", id, messageId, role, content);
  }
}

function attachmentsOf(value: unknown): { readonly content: string; readonly file: string | undefined }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    const { extracted_content, file_name } = fieldsOf(entry);
    const content = stringOf(extracted_content);
    return content === undefined ? [] : [{ content, file: stringOf(file_name) }];
  });
}
