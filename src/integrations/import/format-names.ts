/** What can be named as the format of a file. `auto` looks at its name and its beginning. */
export const importFormats = [
  "auto",
  "text",
  "markdown",
  "jsonl",
  "chatgpt",
  "claude",
  "server-memory",
] as const;

export type ImportFormat = (typeof importFormats)[number];
