import type { Grain } from "../model/grain.ts";
import type { Metadata } from "../model/metadata.ts";
import { repairText } from "../model/unicode.ts";
import { grainText } from "../recall/owner-text.ts";
import type { Analyser } from "../text/analyser.ts";
import { tokensOf } from "../text/tokens-of.ts";

/** What the index sees of a grain. */
export interface IndexedText {
  readonly text: string;
  readonly author?: string | undefined;
  /** Words of what is shown along with it, such as the caption of a picture. */
  readonly caption?: string | undefined;
  /** In milliseconds. */
  readonly saidAt: number;
}

/** The key of metadata whose words are searched like the text. */
const captionKey = "caption";

/**
 * What the index is to see of a grain, from the grain and its owner alone: an index is rebuilt from them.
 *
 * @param text that of its owner
 */
export function indexedText(
  grain: Pick<Grain, "start" | "end" | "author" | "saidAt" | "metadata">,
  text: string,
): IndexedText {
  const { author, saidAt, metadata, start = 0 } = grain;
  const caption = start === 0 ? captionOf(metadata) : undefined;
  return { text: grainText(text, grain), author, saidAt, caption };
}

/** The words of metadata that are searched like the text. */
export function captionOf(metadata: Metadata | undefined): string | undefined {
  const caption = metadata !== undefined && Object.hasOwn(metadata, captionKey) ? metadata[captionKey] : "";
  const words = typeof caption === "object" ? caption.join(" ") : String(caption);
  return words.trim() === "" ? undefined : words;
}

export function withoutCaption(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, captionKey)) return metadata;
  const { [captionKey]: _caption, ...rest } = metadata;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** The text as it is embedded: who says it, what, and what is shown. */
export function embeddedForm({ text, author, caption }: IndexedText): string {
  const said = `${author === undefined ? "" : `${author}: `}${text}${caption === undefined ? "" : ` ${caption}`}`;
  // As the ledger repairs what it keeps, so that an index made of that is the same.
  return repairText(said);
}

/** The terms of a text: those of its embedded form, and the words of the day on which it was said (UTC). */
export function termsOf(analyser: Analyser, text: IndexedText): string[] {
  return [embeddedForm(text), dateWords(text.saidAt)].flatMap((part) =>
    tokensOf(analyser, part).flatMap(({ term }) => (term === "" ? [] : [term])),
  );
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

function dateWords(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()} ${months[date.getUTCMonth()]} ${date.getUTCDate()}`;
}
