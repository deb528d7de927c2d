import type { MessageItem, TextItem } from "../../flux/store-items.ts";
import { base32, digest } from "../../model/hash.ts";
import { idProblem } from "../../model/ids.ts";

/** What is read. */
export interface ImportSource {
  /** Of the file, without its folder; the same again at a later import of the same file. */
  readonly name: string;
  /** Its text, in parts of any length. */
  readonly text: AsyncIterable<string>;
}

/** What an importer finds in a source, in its order. */
export type Imported = ImportedItem | ImportProblem;

/** Something to store. */
export interface ImportedItem {
  readonly type: "item";
  /** Names it within its source: the same again when the source is read again, also after it grew. */
  readonly key: string;
  readonly item: TextItem | MessageItem;
}

/** Something that was left out, or taken otherwise than it is written. */
export interface ImportProblem {
  readonly type: "problem";
  /** Where, such as "line 7". */
  readonly place: string;
  /** What is wrong, in words, without any of the text. */
  readonly problem: string;
}

/** Reads a source of one format. */
export type Importer = (source: ImportSource) => AsyncIterable<Imported>;

export function imported(item: ImportedItem["item"], ...key: readonly string[]): ImportedItem {
  return { type: "item", key: base32(digest(...key).subarray(0, 16)), item };
}

export function problem(place: string, text: string): ImportProblem {
  return { type: "problem", place, problem: text };
}

/** A session id that follows from what a source calls its conversation. */
export function sessionIdOf(source: string, conversation: string): string {
  const id = `${source}:${conversation}`;
  return idProblem(id) === undefined ? id : `${source}:${base32(digest(conversation).subarray(0, 16))}`;
}
