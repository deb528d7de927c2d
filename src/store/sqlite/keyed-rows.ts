import type { RowRead } from "../driver.ts";
import { columnName, selectedColumns } from "../sql/select.ts";
import { ofColumns, type Row } from "../table.ts";
import type { Connection } from "./connection.ts";
import { decodedColumns, decodeRow } from "./rows.ts";
import { dialect } from "./selection.ts";

// Of a bare parameter SQLite looks at the value, and may plan anew at every call: hence `+?`.
/** Statements that select the rows of a list of keys, each with its key behind its columns. */
const textsOf = ofColumns((table, columns) => {
  const key = columnName(table.key[0] as string);
  const names = [...columns.map(columnName), key].map((name) => `t.${name}`).join(", ");
  const all = `select ${names} from json_each(+?) j
    cross join ${dialect.table(table)} t on t."partition" = +? and t.${key} = j."value"`;
  return { all, living: `${all} and (t."expires_at" is null or t."expires_at" > +?)` };
});

interface Group {
  readonly columns: readonly string[];
  readonly table: Parameters<typeof textsOf>[0];
  readonly now: number | undefined;
  readonly keys: string[];
  readonly places: number[];
}

/**
 * The rows of reads by key, by the places of these among all, where there are several of one table: in one statement, as most of the
 * time of one for each is that of the calls.
 */
export function readKeyedRows(
  connection: Connection,
  partition: number,
  reads: readonly RowRead[],
): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<string, Group>();
  for (const [place, read] of reads.entries()) {
    if (read.type !== "get" || read.table.key.length > 1) continue;
    const { table, now } = read;
    const columns = selectedColumns(read);
    const { all, living } = textsOf(table, columns);
    const text = now === undefined || !("expiresAt" in table.columns) ? all : living;
    const group = groups.get(text) ?? { columns, table, now, keys: [], places: [] };
    if (group.now !== now) continue;
    groups.set(text, group);
    group.keys.push(read.key[0] as string);
    group.places.push(place);
  }
  const found = new Map<number, readonly Row[]>();
  for (const [text, { columns, table, now, keys, places }] of groups) {
    if (places.length === 1) continue;
    const parameters = [
      JSON.stringify(keys),
      partition,
      ...(text === textsOf(table, columns).all ? [] : [now]),
    ];
    const rows = new Map(
      connection
        .statement(text)
        .all(...parameters)
        .map((values) => [values.pop(), values]),
    );
    const types = decodedColumns(table, columns);
    for (const [i, place] of places.entries()) {
      const values = rows.get(keys[i]);
      // A row of its own for each, also where two reads are about the same.
      found.set(place, values === undefined ? [] : [decodeRow(types, values)]);
    }
  }
  return found;
}
