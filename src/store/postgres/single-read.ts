import type { RowRead, TableRead } from "../driver.ts";
import { memoize } from "../memoize.ts";
import { rowSelector, selectedColumns } from "../sql/select.ts";
import type { ColumnType, Row } from "../table.ts";
import type { SchemaNames } from "./names.ts";
import type { Statement, TextRow } from "./session.ts";

/** The most rows of a single read: so few that they fit into memory, whatever they hold. */
const maxRows = 32;

type SingleRead = Exclude<TableRead, { readonly type: "count" }>;

/**
 * Whether a read can be a statement of its own whose rows are plain columns. A filter is made for a loop; and where a bound
 * is no whole number, the type of its parameter has to be named.
 */
export function isSingle(read: RowRead): read is SingleRead {
  if (read.type === "get") return true;
  if (read.type !== "find" || read.filter !== undefined) return false;
  const { prefix, range = {}, after = [], limit = Number.POSITIVE_INFINITY } = read;
  const values = [...prefix, ...Object.values(range), ...after];
  return (
    limit <= maxRows && values.every((value) => typeof value !== "number" || Number.isSafeInteger(value))
  );
}

export interface SingleStatement extends Required<Statement> {
  /** What the schema wants of its readers, and the rows. */
  decode(rows: readonly TextRow[]): { readonly minReader: number; readonly rows: readonly Row[] };
}

/** One read in the partition with this key: where several are answered together, the server has to make JSON of their rows. */
export function singleRead(names: SchemaNames, key: string, read: SingleRead): SingleStatement {
  const { text, parameters } = selectorOf(names)(key, read);
  return {
    // Without rows, one comes of the join alone.
    text: `select m."min_reader", r.* from ${names.meta} m
      left join lateral (select true, r.* from (${text}) r) r on true`,
    values: parameters as Required<Statement>["values"],
    decode: (found) => ({
      minReader: Number(found[0]?.[0]),
      rows: found.flatMap((values) => (values[1] === null ? [] : [decodeColumns(read, values)])),
    }),
  };
}

const selectorOf = memoize((names: SchemaNames) => {
  const partition = `(select "id" from ${names.partitions} where "key" = $1)`;
  return rowSelector({
    table: (table) => names.table(table),
    placeholder: (number) => (number === 1 ? partition : `$${number}`),
    parameter: (value) => value,
    filter: () => {
      throw new RangeError("A single read has no filter");
    },
  });
});

function decodeColumns(read: SingleRead, values: TextRow): Row {
  const columns = selectedColumns(read);
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) {
    const value = values[i + 2];
    const column = columns[i] as string;
    const type = read.table.columns[column] as ColumnType;
    if (value === null || value === undefined || (value === "" && type === "id?")) continue;
    row[column] = fromText(value, type);
  }
  return row;
}

function fromText(value: string, type: ColumnType): unknown {
  switch (type) {
    case "integer":
    case "integer?":
    case "real":
    case "real?":
      return Number(value);
    case "boolean":
    case "boolean?":
      return value === "t";
    default:
      return value;
  }
}
