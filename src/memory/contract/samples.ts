import type { ExportLine } from "../../flux/export-line.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { rejects } from "../../store/contract/expectations.ts";
import type { AgentMemory, ScopedMemory } from "../agent-memory.ts";
import type { MemoryEpisode } from "../episodes.ts";

/** Names of users that invite confusion; each is somebody else. */
export const confusingUsers: readonly (string | null)[] = [
  ...[null, "null", "undefined", "alice", "Alice", "alice ", "ALICE"],
  ...["*", "%", "_", "a%", "alice:s1", "alice/s1", "alice|s1", '["default","alice"]', "{alice}", "'; --"],
  ...["__jeeves_anon_user__", "anonymous", "42", "🙂", "\u00e9", "e\u0301", "\u{10000}"],
];

/** No ids: of the wrong type, or strings that cannot be one. */
export const noUsers: readonly unknown[] = [42, undefined, true, {}, [], Symbol("alice"), 7n];
export const noIds: readonly string[] = ["", "\ud800", "a\0b", "x".repeat(513), "🙂".repeat(129)];

export const day = 24 * 3_600_000;

/** The words of episodes. */
export function inputs(episodes: readonly Pick<MemoryEpisode, "input">[]): string[] {
  return episodes.map(({ input }) => input);
}

/** Remembers what a user says, one episode each, and waits until it is extracted. */
export async function told(
  memory: AgentMemory,
  user: ScopedMemory,
  ...said: readonly string[]
): Promise<void> {
  for (const input of said) await user.remember({ input, output: "I see." });
  await memory.flush();
}

/** The triples of facts that are found for a question. */
export async function known(user: ScopedMemory, question: string): Promise<string[]> {
  const facts = await user.recallFacts(question, { limit: 20 });
  return facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).sort();
}

/** A call that throws at once, or rejects, with a coded error. */
export async function fails(codes: ErrorCode | readonly ErrorCode[], call: () => unknown): Promise<Error> {
  return rejects(codes, async () => call());
}

/** Everything of a user, as it is exported. */
export async function linesOf(user: ScopedMemory): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of user.export()) lines.push(line);
  return lines;
}
