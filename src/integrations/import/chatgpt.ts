import type { Role } from "../../model/message.ts";
import { fieldsOf, given, metadataOf, stringOf, timeOf, wordsOf } from "./fields.ts";
import { type Imported, type ImportSource, imported, problem, sessionIdOf } from "./imported.ts";
import { jsonValues } from "./json-values.ts";

/**
 * Reads conversations.json of a ChatGPT export, one conversation at a time. Of the tree of a conversation, the branch that
 * was shown last; of its messages, what the user and the assistant said to each other: no instructions, calls of tools,
 * their output, or what was hidden.
 */
export async function* readChatGpt({ text }: ImportSource): AsyncGenerator<Imported> {
  for await (const found of jsonValues(text, "conversation")) {
    if (found.type === "problem") yield found;
    else yield* conversationOf(found.value, `conversation ${found.number}`);
  }
}

function* conversationOf(value: unknown, place: string): Generator<Imported> {
  const conversation = fieldsOf(value);
  const { title, create_time, mapping, current_node } = conversation;
  const id = stringOf(conversation.conversation_id) ?? stringOf(conversation.id);
  if (id === undefined) return yield problem(place, "has no id");
  const nodes = fieldsOf(mapping);
  const branch = branchOf(nodes, stringOf(current_node));
  if (branch === undefined) return yield problem(place, "has no messages that can be followed");
  const sessionId = sessionIdOf("chatgpt", id);
  let saidAt = timeOf(create_time);
  for (const node of branch) {
    const message = shownMessage(fieldsOf(nodes[node]).message);
    if (message === undefined) continue;
    const { role, content, at } = message;
    // A message without a time was said when the one before it was, as far as the export tells.
    saidAt = at ?? saidAt;
    const metadata = metadataOf({ source: "chatgpt", conversation: stringOf(title), message_id: node });
    const item = { role, content, sessionId, ...given("saidAt", saidAt), ...metadata };
    yield imported(item, "chatgpt", id, node, role, content);
  }
}

/** The ids of the nodes from the first to the current one; undefined when there is none. */
function branchOf(
  nodes: Readonly<Record<string, unknown>>,
  current: string | undefined,
): readonly string[] | undefined {
  const branch = new Set<string>();
  let at = current !== undefined && Object.hasOwn(nodes, current) ? current : newestLeaf(nodes);
  while (at !== undefined && Object.hasOwn(nodes, at) && !branch.has(at)) {
    branch.add(at);
    at = stringOf(fieldsOf(nodes[at]).parent);
  }
  return branch.size === 0 ? undefined : [...branch].reverse();
}

function newestLeaf(nodes: Readonly<Record<string, unknown>>): string | undefined {
  const parents = new Set(Object.values(nodes).map((node) => fieldsOf(node).parent));
  const leaves = Object.keys(nodes).filter((id) => !parents.has(id));
  const time = (id: string): number =>
    timeOf(fieldsOf(fieldsOf(nodes[id]).message).create_time) ?? Number.NEGATIVE_INFINITY;
  return leaves.toSorted((a, b) => time(b) - time(a))[0];
}

const spokenTypes: ReadonlySet<unknown> = new Set(["text", "multimodal_text", undefined]);

function shownMessage(
  value: unknown,
): { readonly role: Role; readonly content: string; readonly at: number | undefined } | undefined {
  const { author, content, metadata, recipient = "all", weight, create_time } = fieldsOf(value);
  const { role } = fieldsOf(author);
  if (role !== "user" && role !== "assistant") return undefined;
  if (recipient !== "all" || weight === 0) return undefined;
  if (fieldsOf(metadata).is_visually_hidden_from_conversation === true) return undefined;
  const { content_type, parts, text } = fieldsOf(content);
  if (!spokenTypes.has(content_type)) return undefined;
  const words = wordsOf(parts) ?? stringOf(text);
  return words === undefined ? undefined : { role, content: words, at: timeOf(create_time) };
}
