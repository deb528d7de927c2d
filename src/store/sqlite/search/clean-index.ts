import type { Connection } from "../connection.ts";
import { tokens } from "./terms.ts";

const someEntriesText = `select "position", "partition", "terms" from "entry"
  where ("partition", "space") in (select "partition", "space" from "index_size" where "space" = ?) limit ?`;
// A full-text table that keeps no text has to be told what it is to forget.
export const removeTokensText = `insert into "entry_tokens" ("entry_tokens", rowid, "tokens") values ('delete', ?, ?)`;
export const removeEntryText = `delete from "entry" where "position" = ?`;
export const forgetLaterText = `insert into "entry_tokens" ("entry_tokens", rank) values ('secure-delete', 0)`;
const removeVectorsText = `delete from "vector" where "position" in (
  select "position" from "vector"
  where ("partition", "space") in (select "partition", "space" from "index_size" where "space" = ?) limit ?
)`;
const removeSizesText = `delete from "index_size" where "space" = ?`;

/** Entries that are removed in one commit. */
const batch = 1000;

/** Removes some of what a space held; whether there is more. */
export function emptySpace(connection: Connection, space: number): boolean {
  const rows = connection.statement(someEntriesText).all(space, batch);
  if (rows.length > 0) connection.statement(forgetLaterText).run();
  for (const [position, partition, terms] of rows) {
    connection.statement(removeTokensText).run(position, tokens(partition as number, space, terms as string));
    connection.statement(removeEntryText).run(position);
  }
  const vectors = connection.statement(removeVectorsText).run(space, batch).changes;
  if (rows.length + vectors === 0) connection.statement(removeSizesText).run(space);
  return rows.length + vectors > 0;
}

const secureText = `insert into "entry_tokens" ("entry_tokens", rank) values ('secure-delete', 1)`;
const secureStateText = `select "v" from "entry_tokens_config" where "k" = 'secure-delete'`;
const mergeText = `insert into "entry_tokens" ("entry_tokens", rank) values ('merge', ?)`;
const changesText = "select total_changes()";

/** Pages that are merged in one commit: about a tenth of a second. */
const pages = 500;

/**
 * Overwrites some of the tokens that were left to the next cleaning; whether there are more.
 *
 * @param first whether this is the first step of a cleaning
 */
export function forgetTokens(connection: Connection, first: boolean): boolean {
  const [secure] = connection.statement(secureStateText).get() ?? [];
  if (secure === 1) return false;
  const before = connection.statement(changesText).get()?.[0] as number;
  // A negative number makes it one merge of all segments, whatever their sizes: only then nothing that was deleted is left.
  connection.statement(mergeText).run(first ? -pages : pages);
  const after = connection.statement(changesText).get()?.[0] as number;
  // By the documentation of FTS5, fewer than two changes mean that nothing is left to do.
  if (after - before >= 2) return true;
  connection.statement(secureText).run();
  return false;
}
