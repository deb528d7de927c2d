import type { Episode } from "../model/episode.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import type { Message } from "../model/message.ts";
import type { StoredText } from "../model/text.ts";
import { cutToUnits } from "../text/cut.ts";

/** The records that grains point to, by kind. */
export interface OwnerRecords {
  readonly message: Pick<Message, "content">;
  readonly episode: Pick<Episode, "input" | "output">;
  readonly text: Pick<StoredText, "content">;
  readonly fact: Pick<FactVersion, "subject" | "predicate" | "object" | "affirmed">;
}

/** Names the record that a grain is of. */
export function ownerKey({ ownerKind, ownerId }: Pick<Grain, "ownerKind" | "ownerId">): string {
  return `${ownerKind} ${ownerId}`;
}

/** The text of a record, which the spans of its grains are offsets of. An empty side of an episode takes no line. */
export function ownerText<K extends keyof OwnerRecords>(kind: K, record: OwnerRecords[K]): string;
export function ownerText(kind: keyof OwnerRecords, record: OwnerRecords[keyof OwnerRecords]): string {
  switch (kind) {
    case "message":
    case "text":
      return (record as OwnerRecords["message"]).content;
    case "episode": {
      const { input, output } = record as OwnerRecords["episode"];
      return input === "" ? output : output === "" ? input : `${input}\n${output}`;
    }
    case "fact": {
      const { subject, predicate, object, affirmed } = record as OwnerRecords["fact"];
      // In words: `lives_in` would be one word that nobody asks by.
      return `${affirmed ? "" : "not: "}${subject} ${predicate.replaceAll("_", " ")} ${object}`;
    }
  }
}

/** Where the output of an episode begins in its text. */
export function outputStart({ input }: Pick<Episode, "input">): number {
  return input === "" ? 0 : input.length + 1;
}

/** The part of the owner's text that a grain stands for. A span that has become wrong never splits a character. */
export function grainText(
  text: string,
  { start = 0, end = text.length }: Pick<Grain, "start" | "end">,
): string {
  if (start <= 0 && end >= text.length) return text;
  return cutToUnits(cutToUnits(text, end), Math.max(0, Math.min(end, text.length) - start), "end");
}
