import { FluxError } from "../../model/errors.ts";
import { readChatGpt } from "./chatgpt.ts";
import { readClaude } from "./claude.ts";
import { fieldsOf } from "./fields.ts";
import { type ImportFormat, importFormats } from "./format-names.ts";
import { readJsonLines, readJsonList } from "./generic-json.ts";
import type { Importer } from "./imported.ts";
import { readMarkdown } from "./markdown.ts";
import { isExportHeader } from "./own-export.ts";
import { readText } from "./plain-text.ts";
import { readServerMemory } from "./server-memory.ts";

/** What a file turned out to be. */
export type FoundFormat = Exclude<ImportFormat, "auto"> | "json" | "export";

/** Of all formats but the package's own, which is stored as it is. */
export const importers: Readonly<Record<Exclude<FoundFormat, "export">, Importer>> = {
  text: readText,
  markdown: readMarkdown,
  jsonl: readJsonLines,
  json: readJsonList,
  chatgpt: readChatGpt,
  claude: readClaude,
  "server-memory": readServerMemory,
};

/** UTF-16 units of the beginning of a file that are looked at. */
export const sniffedUnits = 65_536;

/**
 * What a file is, by its beginning and then by its name.
 *
 * @param beginning the first {@link sniffedUnits} of its text, or all of it
 * @throws FluxError `invalid_argument` for a name of a format that is not known
 */
export function formatOf(format: string, name: string, beginning: string): FoundFormat {
  const known = importFormats.find((known) => known === format);
  if (known === undefined) {
    throw new FluxError("invalid_argument", "There is no such format", {
      hint: `Known: ${importFormats.join(", ")}.`,
    });
  }
  if (known === "jsonl") {
    if (isExportHeader(firstLine(beginning))) return "export";
    return beginning.trimStart().startsWith("[") ? "json" : "jsonl";
  }
  return known === "auto" ? foundFormat(name.toLowerCase(), beginning) : known;
}

function foundFormat(name: string, beginning: string): FoundFormat {
  if (/\.(md|markdown|mdown)$/.test(name)) return "markdown";
  const start = beginning.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) {
    const line = firstLine(start);
    if (isExportHeader(line)) return "export";
    const { type } = fieldsOf(line);
    if (type === "entity" || type === "relation") return "server-memory";
    // A conversation may be longer than what is looked at, so its names are looked for in the text.
    if (start.includes('"chat_messages"')) return "claude";
    if (start.includes('"mapping"')) return "chatgpt";
    if (line !== undefined && !Array.isArray(line)) return "jsonl";
    if (/^\[\s*[{"\]]/.test(start) || /\.json$/.test(name)) return "json";
  }
  return /\.(jsonl|ndjson)$/.test(name) ? "jsonl" : "text";
}

/** The value of the first line that is not empty; undefined when it is no JSON, or no whole line. */
function firstLine(beginning: string): unknown {
  const [line = ""] = beginning.trimStart().split("\n", 1);
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
