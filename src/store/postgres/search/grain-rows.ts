import { recordTables } from "../../schema.ts";
import { columnName } from "../../sql/select.ts";
import type { Row } from "../../table.ts";

const columns = Object.entries(recordTables.grain.columns);

/** All columns of grains, named by their numbers, as JSON would repeat longer names with every row. */
export const grainColumns = columns.map(([column], i) => `${columnName(column)} as "${i}"`).join(", ");

/** A grain from an object with the columns of `grainColumns`. */
export function decodeGrain(object: Readonly<Record<string, unknown>>): Row {
  const row: Record<string, unknown> = {};
  columns.forEach(([column, type], i) => {
    const value = object[i];
    if (value === null || (value === "" && type === "id?")) return;
    row[column] = value;
  });
  return row;
}
