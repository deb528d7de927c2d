import { readFileSync } from "node:fs";
import { type Rest, RestError } from "./rest.ts";

interface Turn {
  readonly session_id: string;
  readonly role: "user" | "assistant";
  readonly name?: string;
  readonly said_at: string;
  readonly content: string;
}

/** What became of the turns of a file. */
export interface ImportReport {
  readonly stored: number;
  readonly known: number;
}

/** Marks what came from the example, beside what its user stores. */
const source = "examples/conversation.jsonl";

/**
 * Stores a conversation through a service, a session at a time. A session that is there already is not stored again, nor is one that
 * was deleted since.
 */
export async function importConversation(rest: Rest, file: string): Promise<ImportReport> {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const turns = lines.map((line): Turn => JSON.parse(line));
  const present = await sessionsOf(rest);
  let stored = 0;
  for (const [session, said] of Map.groupBy(turns, ({ session_id }) => session_id)) {
    if (present.has(session)) continue;
    const items = said.map(({ name: author, said_at, ...turn }) => ({
      ...turn,
      author,
      said_at: Date.parse(said_at),
      metadata: { source },
    }));
    try {
      await rest.post("/store/batch", { items }, `${source} ${session}`);
      stored += items.length;
    } catch (error) {
      if (!(error instanceof RestError) || !deleted.has(error.code)) throw error;
    }
  }
  return { stored, known: turns.length - stored };
}

/** Answers to a session that was stored before and is not there any more. */
const deleted: ReadonlySet<string> = new Set(["erased", "operation_conflict"]);

interface Page {
  readonly grains: readonly { readonly session_id: string }[];
  readonly cursor?: string;
}

async function sessionsOf(rest: Rest): Promise<ReadonlySet<string>> {
  const sessions = new Set<string>();
  const query = new URLSearchParams({ filter: JSON.stringify({ source }), limit: "1000" });
  for (;;) {
    const { grains, cursor } = await rest.get<Page>(`/grains?${query}`);
    for (const { session_id } of grains) sessions.add(session_id);
    if (cursor === undefined) return sessions;
    query.set("after", cursor);
  }
}
