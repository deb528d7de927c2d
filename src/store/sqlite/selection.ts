import { type Dialect, type RowSelector, rowSelector } from "../sql/select.ts";

export const dialect: Dialect = {
  table: (table) => `"${table.name}"`,
  // Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call.
  placeholder: () => "+?",
  parameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  filter: (predicate, bind) => `flux_matches(${bind(JSON.stringify(predicate))}, "metadata")`,
};

/** Selects rows of a partition with this id. */
export const selectById: RowSelector = rowSelector(dialect);

/** Selects rows of the partition with this key, or none where the database asks for newer code than this. */
export function selectorByKey(code: number): RowSelector {
  const partition = `
    (select p."id" from "partitions" p, "meta" m where p."key" = +? and m."min_reader" <= ${code})`;
  return rowSelector({ ...dialect, placeholder: (number) => (number === 1 ? partition : "+?") });
}
