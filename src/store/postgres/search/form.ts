import type { Row } from "../../table.ts";

/**
 * A read as an expression over a list of requests, one for each read of this form in a statement: a JSON parameter that is to
 * be taken apart as the alias `q`, whose column `"i"` numbers them. The partition is `p`.
 */
export interface Form {
  /** The same for two reads when their expressions are. */
  readonly key: string;
  /** JSON text of a list of objects with `i`, and whatever `decode` reads. */
  expression(parameter: string): string;
  /** What this read adds to the list. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The rows in one object of the list. */
  decode(object: Readonly<Record<string, unknown>>): readonly Row[];
}

/**
 * A loop over requests. It leaves the rows of each in the order of its query. The offset keeps it one: the planner would else
 * rather read the whole of a partition once, when it takes it for smaller than it is.
 *
 * @param types SQL types of the values, by their names
 * @param text the query of one request
 * @param width how many columns it has, if they are to be named by their numbers
 */
export function loop(
  parameter: string,
  types: Readonly<Record<string, string>>,
  text: string,
  width?: number,
): string {
  const columns = ['"i" integer', ...Object.entries(types).map(([name, type]) => `"${name}" ${type}`)];
  const names = Array.from({ length: width ?? 0 }, (_, i) => `"${i}"`);
  const row = width === undefined ? "r" : `r(${names.join(", ")})`;
  return `(
      select json_agg(o)::text from (
        select q."i", r.* from json_to_recordset(${parameter}) as q(${columns.join(", ")})
        cross join lateral (${text} offset 0) as ${row}
      ) o
    )`;
}
