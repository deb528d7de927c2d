/** A URL or an e-mail address in a text. */
export interface Address {
  readonly kind: "url" | "email";
  /** As written, without the punctuation of the sentence around it. */
  readonly text: string;
  /** UTF-16 offsets into the text, half-open. */
  readonly start: number;
  readonly end: number;
}

// Every repetition has an upper bound, so that a megabyte without a match costs linear time.
const url =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.)[^\s\p{Cc}\p{Cs}<>"“”«»「」『』{}|\\^`]{2,2048}/giu;
const email =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_%+-][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;

/** Finds URLs (with a scheme or beginning with www.) and e-mail addresses, in order, without overlaps. */
export function findAddresses(text: string): Address[] {
  const found: Address[] = [];
  if (text.includes("://") || /www\./i.test(text)) {
    for (const match of text.matchAll(url)) {
      const written = trimEnd(match[0]);
      found.push({ kind: "url", text: written, start: match.index, end: match.index + written.length });
    }
  }
  if (!text.includes("@")) return found;
  const urls = found.length;
  let next = 0;
  for (const match of text.matchAll(email)) {
    const start = match.index;
    const end = start + match[0].length;
    while (next < urls && (found[next]?.end ?? 0) <= start) next++;
    const inside = next < urls && (found[next]?.start ?? 0) < end;
    if (!inside) found.push({ kind: "email", text: match[0], start, end });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Takes away what belongs to the sentence: stops, closing quotes, and brackets that were not opened inside. */
function trimEnd(written: string): string {
  let end = written.length;
  for (; end > 0; end--) {
    const last = written.charAt(end - 1);
    if (".,;:!?'’*_~…。，、；：！？".includes(last)) continue;
    const opening = { ")": "(", "]": "[", "）": "（" }[last];
    if (opening === undefined) break;
    const inside = written.slice(0, end);
    if (inside.split(opening).length >= inside.split(last).length) break;
  }
  return written.slice(0, end);
}
