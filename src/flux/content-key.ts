import { base32, digest } from "../model/hash.ts";
import { normalForm } from "../model/normal-form.ts";
import { repairText } from "../model/unicode.ts";

/**
 * A text, as the ledger repairs it, without what does not change what it says: compatibility forms (NFKC), case, runs of white space, and a full stop
 * or exclamation mark at the end. A question mark stays: "You like tea?" says something else.
 */
export function normaliseText(text: string): string {
  const plain = normalForm(repairText(text), "NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  // From the end by hand: a regular expression would start anew at each stop of a run that does not end the text.
  let end = plain.length;
  while (end > 0 && finalMarks.has(plain.charAt(end - 1))) end -= 1;
  return plain.slice(0, end) || plain;
}

/** White space is a single space by then. */
const finalMarks: ReadonlySet<string> = new Set(" .!…。！");

/** What stored texts that count as the same have in common: normalised text, author, provenance and agent. */
export function contentKey(
  text: string,
  {
    author,
    provenance,
    agentId,
  }: { readonly author?: string; readonly provenance: string; readonly agentId?: string },
): string {
  const labels = JSON.stringify([provenance, author ?? null, agentId ?? null]);
  return base32(digest(labels, contentMark(text)).subarray(0, 16));
}

/** What texts that are equal but for form have in common. */
export function contentMark(text: string): string {
  return base32(digest(normaliseText(text)).subarray(0, 16));
}

/**
 * A short mark of a text that a recall returned, to recognise it when it comes back. Keyed by the trace, so that marks of
 * different traces say nothing about each other; 50 bits, of which a partition has about a thousand at a time.
 */
export function fingerprint(traceId: string, mark: string): string {
  return base32(digest(traceId, mark).subarray(0, 7)).slice(0, 10);
}
