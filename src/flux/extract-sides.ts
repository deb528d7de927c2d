import { userSubject } from "../facts/claim.ts";
import type { Episode } from "../model/episode.ts";
import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { Provenance } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import { outputStart } from "../recall/owner-text.ts";

/** What a record says by the mouth of one speaker: all of it, or a side of an episode. */
export interface Side {
  readonly text: string;
  /** Where it begins in the text of the record, in UTF-16 units. */
  readonly start: number;
  readonly provenance: Provenance;
  /** Who says it, as it is to be shown. */
  readonly author: string | undefined;
}

/** A record, stored or about to be. */
export type SaidRecord =
  | { readonly kind: "message"; readonly value: Pick<Message, "role" | "content"> }
  | { readonly kind: "text"; readonly value: Pick<StoredText, "form" | "content"> }
  | { readonly kind: "episode"; readonly value: Pick<Episode, "input" | "output"> };

/** The sides of a record, those that say something. */
export function sidesOf(
  { kind, value }: SaidRecord,
  { provenance, author }: Pick<Grain, "provenance" | "author">,
): readonly Side[] {
  if (kind !== "episode") return saying([{ text: value.content, start: 0, provenance, author }]);
  const { input, output } = value;
  return saying([
    { text: input, start: 0, provenance: "user_stated", author: undefined },
    { text: output, start: outputStart(value), provenance: "ai_stated", author: undefined },
  ]);
}

function saying(sides: readonly Side[]): readonly Side[] {
  return sides.filter(({ text }) => text.trim() !== "");
}

/** Whom the speaker of a side means by "I". */
export function subjectOf({ author, provenance }: Pick<Side, "author" | "provenance">): string {
  if (author !== undefined && author.trim() !== "") return author.trim();
  if (provenance === "user_stated") return userSubject;
  return provenance === "external_source" ? "author" : "assistant";
}
