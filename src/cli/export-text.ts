import type { ExportLine, RecordLine } from "../flux/export-line.ts";
import { jsonLine } from "../model/json-line.ts";
import { ownerText } from "../recall/owner-text.ts";

/** An export as text: a line of JSON each, which `import` takes, or Markdown to read. */
export async function* exportText(
  lines: AsyncIterable<ExportLine>,
  format: "jsonl" | "markdown",
): AsyncGenerator<string> {
  if (format === "markdown") yield* markdownText(lines);
  else for await (const line of lines) yield `${jsonLine(line)}\n`;
}

/** Session by session: what is said in several at a time is stored in turns. Holds all of it, as it is for a reader. */
async function* markdownText(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  const facts: string[] = [];
  const sessions = new Map<string | undefined, string[]>();
  for await (const line of lines) {
    if (line.type === "fact" && line.status === "current")
      facts.push(`- ${oneLine(ownerText("fact", line))}\n`);
    // What was derived says again what is there, in other words.
    if (line.type !== "record" || line.form !== undefined) continue;
    const records = sessions.get(line.sessionId) ?? [];
    records.push(markdownRecord(line));
    sessions.set(line.sessionId, records);
  }
  yield "# Memories\n";
  for (const [session, records] of sessions) {
    yield `\n## ${session === undefined ? "Without a session" : oneLine(session)}\n`;
    yield* records;
  }
  if (facts.length > 0) yield* ["\n## Facts\n\n", ...facts];
}

function markdownRecord(line: RecordLine): string {
  const { author, role, provenance, text, input = "", output = "" } = line;
  if (line.kind !== "episode") return quotation(line, author ?? role ?? provenance, text);
  const sides = [["user", input] as const, ["assistant", output] as const];
  return sides.map(([speaker, side]) => (side === "" ? "" : quotation(line, speaker, side))).join("");
}

function quotation({ saidAt, status }: RecordLine, speaker: string, text: string): string {
  const facts = [oneLine(speaker), new Date(saidAt).toISOString()];
  if (status !== "active") facts.push(status);
  // Quoted line by line, so that no text ends its quotation or begins a heading.
  const quoted = text.split(/\r\n|[\n\r\u2028\u2029]/).map((part) => `> ${part}`);
  return `\n${facts.join(", ")}:\n\n${quoted.join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
