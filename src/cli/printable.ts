/** A text for a terminal: without what moves its cursor, changes its colours or its title, or turns its letters round. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(unprintable, (character) => (/[\t\n]/.test(character) ? character : "\ufffd"));
}

// Control characters but for tab and line feed, and those that change the direction of text.
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same on one line, of a certain length at most. */
export function printableLine(text: string, most = 200): string {
  const line = printable(text).replace(/\s+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}
