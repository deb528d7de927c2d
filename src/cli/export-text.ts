import type { ExportLine } from "../flux/flux-memory.ts";
import { jsonLine } from "../model/json.ts";

/** An export as text: a line of JSON each, which `import` takes, or Markdown to read. */
export async function* exportText(
  lines: AsyncIterable<ExportLine>,
  format: "jsonl" | "markdown",
): AsyncGenerator<string> {
  let session: string | undefined;
  for await (const line of lines) {
    if (format === "jsonl") yield `${jsonLine(line)}\n`;
    else if (line.type === "flux-memory") yield "# Memories\n";
    else {
      const { author, role, provenance, saidAt, sessionId, status, text } = line;
      if (sessionId !== session)
        yield `\n## ${sessionId === undefined ? "Without a session" : oneLine(sessionId)}\n`;
      session = sessionId;
      const facts = [oneLine(author ?? role ?? provenance), new Date(saidAt).toISOString()];
      if (status !== "active") facts.push(status);
      // Quoted line by line, so that no text ends its quotation or begins a heading.
      const quoted = text.split(/\r\n|[\n\r\u2028\u2029]/).map((part) => `> ${part}`);
      yield `\n${facts.join(", ")}:\n\n${quoted.join("\n")}\n`;
    }
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
