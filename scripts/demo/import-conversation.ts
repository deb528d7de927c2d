import { readFileSync } from "node:fs";
import { type Rest, RestError } from "./rest.ts";

/** What is read of a turn; the rest is stored as it is written. */
interface Turn {
  readonly session_id: string;
  readonly name?: string;
  readonly said_at: string;
}

/** How many turns of a file are in a memory. */
export interface ImportReport {
  readonly before: number;
  readonly after: number;
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
  const before = await storedSessions(rest);
  const present = new Set(before);
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
    } catch (error) {
      if (!(error instanceof RestError) || !deleted.has(error.code)) throw error;
    }
  }
  return { before: before.length, after: (await storedSessions(rest)).length };
}

/** Answers to a session that was stored before and is not there any more. */
const deleted: ReadonlySet<string> = new Set(["erased", "operation_conflict"]);

interface Page {
  readonly grains: readonly { readonly session_id: string }[];
  readonly cursor?: string;
}

/** The session of each turn that is there. */
async function storedSessions(rest: Rest): Promise<readonly string[]> {
  const sessions: string[] = [];
  const query = new URLSearchParams({ filter: JSON.stringify({ source }), limit: "1000" });
  for (;;) {
    const { grains, cursor } = await rest.get<Page>(`/grains?${query}`);
    sessions.push(...grains.map(({ session_id }) => session_id));
    if (cursor === undefined) return sessions;
    query.set("after", cursor);
  }
}
