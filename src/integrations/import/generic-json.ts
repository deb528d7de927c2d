import type { Role } from "../../model/message.ts";
import { copyMetadata } from "../../model/metadata.ts";
import { provenanceSchema } from "../../model/record.ts";
import { fieldsOf, firstOf, given, stringOf, timeOf, wordsOf } from "./fields.ts";
import {
  type Imported,
  type ImportedItem,
  type ImportProblem,
  type ImportSource,
  imported,
  problem,
  sessionIdOf,
} from "./imported.ts";
import { jsonLines } from "./json-lines.ts";
import { type JsonValue, jsonValues } from "./json-values.ts";

const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...(["system", "user", "assistant", "tool"] as const).map((role) => [role, role] as const),
  ...[["human", "user"] as const, ["ai", "assistant"] as const, ["bot", "assistant"] as const],
  ...[["model", "assistant"] as const, ["developer", "system"] as const],
]);

const names = {
  content: ["content", "text", "message"],
  role: ["role", "sender"],
  time: ["timestamp", "said_at", "created_at", "createdAt", "time", "date"],
  session: ["session_id", "sessionId", "conversation_id", "conversationId", "thread_id"],
  id: ["id", "uuid", "message_id"],
  speaker: ["name", "author"],
} as const;

/**
 * Reads JSON Lines of messages and texts: objects with a text, and perhaps a role, a time, a session and metadata, or with
 * a list of messages.
 */
export function readJsonLines({ name, text }: ImportSource): AsyncGenerator<Imported> {
  return itemsOf(name, "line", jsonLines(text));
}

/** Reads a JSON list of the same. */
export function readJsonList({ name, text }: ImportSource): AsyncGenerator<Imported> {
  return itemsOf(name, "entry", jsonValues(text, "entry"));
}

async function* itemsOf(
  name: string,
  what: string,
  values: AsyncIterable<JsonValue | ImportProblem>,
): AsyncGenerator<Imported> {
  const repeats = new Repeats();
  const source = { name, session: undefined, repeats };
  for await (const found of values) {
    if (found.type === "problem") yield found;
    else yield* entryOf(found.value, `${what} ${found.number}`, source);
  }
}

interface Origin {
  readonly name: string;
  /** Of the conversation that the entry belongs to, as the file calls it. */
  readonly session: string | undefined;
  readonly repeats: Repeats;
}

/** Tells entries without an id that say the same apart: the first, the second and so on. */
class Repeats {
  readonly #counts = new Map<string, number>();

  next(key: string): string {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return String(count);
  }
}

function* entryOf(value: unknown, place: string, origin: Origin): Generator<Imported> {
  const entry = typeof value === "string" ? { text: value } : fieldsOf(value);
  const session = idOf(firstOf(entry, names.session)) ?? origin.session;
  const { messages } = entry;
  if (Array.isArray(messages)) {
    const id = session ?? idOf(firstOf(entry, names.id)) ?? `${origin.name} ${place}`;
    for (const [i, message] of messages.entries())
      yield* entryOf(message, `${place}, message ${i + 1}`, { ...origin, session: id });
    return;
  }
  const content = wordsOf(firstOf(entry, names.content));
  if (content === undefined) return yield problem(place, "has no text");
  const role = stringOf(firstOf(entry, names.role));
  const known = role === undefined ? undefined : roles.get(role.toLowerCase());
  if (role !== undefined && known === undefined) return yield problem(place, "has a role that is not known");
  const time = firstOf(entry, names.time);
  const at = timeOf(time);
  if (time !== undefined && at === undefined)
    yield problem(place, "has a time that is not known; it counts as said now");
  const { copy: metadata } = copyMetadata(entry.metadata);
  if (entry.metadata !== undefined && metadata === undefined)
    yield problem(place, "has metadata that is no flat object; it is left out");
  const common = { ...given("metadata", metadata), ...given("at", at) };
  const speaker = stringOf(firstOf(entry, names.speaker));
  const sessionId = sessionOf(session, known, origin);
  const item =
    known === undefined
      ? textItem(entry, { content, speaker, sessionId, ...common })
      : messageItem(known, { content, speaker, sessionId, ...common });
  const id = idOf(firstOf(entry, names.id));
  const key = ["json", sessionId ?? "", known ?? "", String(at ?? ""), content];
  yield imported(item, ...key, id === undefined ? `#${origin.repeats.next(JSON.stringify(key))}` : id);
}

/** A message belongs to a session: without one of its own, to that of its file. */
function sessionOf(
  session: string | undefined,
  role: Role | undefined,
  { name }: Origin,
): string | undefined {
  if (session !== undefined) return sessionIdOf("import", session);
  return role === undefined ? undefined : sessionIdOf("import", name);
}

interface Fields {
  readonly content: string;
  readonly speaker: string | undefined;
  readonly sessionId: string | undefined;
  readonly metadata?: NonNullable<ImportedItem["item"]["metadata"]>;
  readonly at?: number;
}

function messageItem(
  role: Role,
  { content, speaker, sessionId, metadata, at }: Fields,
): ImportedItem["item"] {
  const labels = { ...given("name", speaker), ...given("sessionId", sessionId) };
  return { role, content, ...labels, ...given("metadata", metadata), ...given("saidAt", at) };
}

function textItem(
  entry: Readonly<Record<string, unknown>>,
  { content, speaker, sessionId, metadata, at }: Fields,
): ImportedItem["item"] {
  const { data: provenance = "external_source" } = provenanceSchema.safeParse(entry.provenance);
  const labels = { ...given("author", speaker), ...given("sessionId", sessionId) };
  return { text: content, provenance, ...labels, ...given("metadata", metadata), ...given("statedAt", at) };
}

/** An id may be a number. */
function idOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : stringOf(value);
}
