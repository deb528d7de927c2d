import type { Piece } from "./segment.ts";

/** A turn of a conversation written as text: "Alice: Hello". */
export interface SpokenTurn {
  readonly speaker: Piece;
  /** What is said, until the next speaker. */
  readonly said: Piece;
}

const label =
  /^[ \t]*(?:[-*>•][ \t]*)?(?:\[[^\]\n]{1,40}\][ \t]*)?(?:\*\*)?(?<name>\p{L}[\p{L}\p{M}\p{N}'’._-]*(?:[ \t]\(?[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._-]*\)?){0,3})(?:\*\*)?[ \t]?[:：](?:\*\*)?(?=[ \t\n]|$|(?<=：))/gmu;

const roles = /^(?:user|assistant|system|human|ai|bot|agent|customer|support|me|you|speaker \d+)$/i;
// Words before a colon that introduce something else than speech.
const notSpeakers =
  /^(?:note|notes|ps|p\.s\.|warning|example|examples|e\.g\.|todo|fixme|re|fwd|fw|subject|from|to|cc|bcc|date|time|question|answer|q|a|tip|tips|summary|update|edit|http|https|ftp|file|step|steps|title|result|results|output|input|error|fun fact|reminder|important|key|goal|goals|price|address|phone|email|name|location|when|where|what|who|why|how)$|\d$/i;

/**
 * Finds who speaks in a text that labels its turns at the beginning of lines: "Alice: …", "user: …", "小明：…". Names of up to
 * four words that begin with a capital, or in a script without case; known roles in any case. A text without labels has
 * no turns.
 */
export function findSpeakers(text: string): SpokenTurn[] {
  const labels = Array.from(text.matchAll(label)).filter(({ groups }) => isSpeaker(groups?.name ?? ""));
  return labels.map((match, i) => {
    const name = match.groups?.name ?? "";
    const from = match.index + match[0].length;
    const written = text.slice(from, labels[i + 1]?.index ?? text.length);
    const said = written.trim();
    return {
      speaker: { text: name, start: match.index + match[0].indexOf(name) },
      said: { text: said, start: from + written.indexOf(said) },
    };
  });
}

function isSpeaker(name: string): boolean {
  if (roles.test(name)) return true;
  if (name.length > 40 || notSpeakers.test(name)) return false;
  const words = name.split(/[ \t]/);
  return words.every((word) => /^\(?(?:\p{Lu}|\p{Lo})/u.test(word));
}
