// Control characters but for tabs and line breaks: some clients show what a tool returns in a terminal.
const control = /[^\P{Cc}\t\n\r]/gu;

// What is not seen and could hide words or turn their order: characters that Unicode lets a reader ignore, among them bidi
// controls and tags. Kept are joiners, which letters and emoji need, one variation selector behind a character, and the tags
// of a flag such as that of Scotland.
const unseen =
  /(?!(?<=\u{1F3F4}[\u{E0020}-\u{E007E}]{0,8})[\u{E0020}-\u{E007F}])(?![\u200c\u200d])(?!(?<=[^\p{DI}\s])[\ufe00-\ufe0f\u180b-\u180d])\p{DI}|[\ufff9-\ufffb]/gu;

/** A text without what a reader does not see: control characters become U+FFFD, other characters that are not seen go. */
function visibleText(text: string): string {
  return text.toWellFormed().replace(control, "\ufffd").replace(unseen, "");
}

/** A text as data on a line of its own, which holds nothing that a reader does not see. */
export function lineText(text: string): string {
  return visibleText(text).replace(/\s+/gu, " ").trim();
}

/**
 * A text as data between tags: it can neither open nor close one, nor hold what a reader does not see. Escapes are those of
 * XML; control characters become U+FFFD, those that are not seen go.
 */
export function escapeText(text: string): string {
  return visibleText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text as the value of an attribute, on one line. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;").replace(/\s+/gu, " ");
}
