import { FluxError } from "../../model/errors.ts";
import type { Partition } from "../../model/partition.ts";
import type { Head, IndexValue, RowRead } from "../driver.ts";
import { columnName, type Dialect, selectRows } from "../sql/select.ts";
import type { Row } from "../table.ts";
import { filterSql } from "./filter.ts";
import type { SchemaNames } from "./names.ts";
import type { Statement, TextRow } from "./session.ts";

/** Reads of the same form, with the values of each. */
interface Shape {
  readonly expression: string;
  readonly requests: Record<string, unknown>[];
  /** Which of the reads each request is. */
  readonly places: number[];
}

export interface ReadStatement extends Required<Statement> {
  /** The rows of the reads, in the order of the reads, from the last column of the statement's only row. */
  decode(json: string | null): readonly (readonly Row[])[];
}

/** The most bytes of a read's rows: JavaScript's strings have a limit that must not be met in the middle of an answer. */
const maxBytes = 256 * 1024 * 1024;

/** How many parameters a statement can have, less the first. */
const maxShapes = 65_534;

export const headColumns = [
  "seq",
  "generation",
  "salt",
  "recorded_at",
  "records",
  "bytes",
  "policy",
] as const;

/** Reads in a partition that is locked. */
export function lockedReads(names: SchemaNames, partition: number, reads: readonly RowRead[]): ReadStatement {
  return readStatement(names, reads, {
    value: partition,
    columns: [],
    from: `(select $1::integer as "id") p`,
  });
}

/** Reads with what the schema wants of its readers and the partition's head, all of one snapshot. */
export function snapshotReads(names: SchemaNames, key: string, reads: readonly RowRead[]): ReadStatement {
  return readStatement(names, reads, {
    value: key,
    columns: [`m."min_reader"`, ...headColumns.map((column) => `p."${column}"`)],
    from: `${names.meta} m left join ${names.partitions} p on p."key" = $1 and p."salt" <> ''`,
  });
}

/**
 * One statement for all reads of a partition. The last column of its single row is a JSON array of the reads' rows. Reads of
 * one form become one loop over their values, so that the text depends on the forms alone, however many reads there are,
 * and comes again to be found prepared.
 *
 * Rows are arrays of their columns' values. What JSON writes is read back as it was: text with its control characters,
 * integers up to 2^53, doubles in their shortest form.
 *
 * @param source the partition as `p`, whose value is the first parameter, and columns to select besides
 */
function readStatement(
  names: SchemaNames,
  reads: readonly RowRead[],
  source: { readonly value: string | number; readonly columns: readonly string[]; readonly from: string },
): ReadStatement {
  const shapes = new Map<string, Shape>();
  reads.forEach((read, place) => {
    const { key, expression, values } = formOf(names, read);
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = { expression: expression(`$${shapes.size + 2}`), requests: [], places: [] };
      shapes.set(key, shape);
    }
    shape.requests.push({ i: shape.requests.length, ...values });
    shape.places.push(place);
  });
  if (shapes.size > maxShapes)
    throw new FluxError("too_large", `One call takes at most ${maxShapes} different forms of read`);

  const forms = [...shapes.values()];
  const rows = `to_json(array[${forms.map(({ expression }) => expression).join(",")}]::json[])::text`;
  // The offset keeps the planner from merging the queries and working the rows out twice.
  const text = `
select ${[...source.columns.map((_column, i) => `x.c${i}`), `case when octet_length(x."rows") <= ${maxBytes} then x."rows" end`].join(", ")}
from (
  select ${[...source.columns.map((column, i) => `${column} as c${i}`), `${rows} as "rows"`].join(", ")}
  from ${source.from} offset 0
) x`;
  return {
    text,
    values: [source.value, ...forms.map(({ requests }) => JSON.stringify(requests))],
    decode: (json) => decodeRows(reads, forms, json),
  };
}

function decodeRows(
  reads: readonly RowRead[],
  forms: readonly Shape[],
  json: string | null,
): readonly (readonly Row[])[] {
  if (json === null) {
    throw new FluxError("too_large", `The rows take more than ${maxBytes} bytes`, {
      hint: "Ask for fewer records at a time, with limit.",
    });
  }
  const results: (readonly Row[])[] = reads.map(() => []);
  (JSON.parse(json) as (unknown[][] | null)[][]).forEach((lists, form) => {
    lists.forEach((rows, request) => {
      const place = forms[form]?.places[request] as number;
      results[place] = (rows ?? []).map((values) => decodeRow(reads[place] as RowRead, values));
    });
  });
  return results;
}

/** A read as an expression over a list of requests `q`, with the values of this one. */
function formOf(
  names: SchemaNames,
  read: RowRead,
): { readonly key: string; expression(parameter: string): string; readonly values: Record<string, unknown> } {
  const dialect: Dialect = {
    table: (table) => names.table(table),
    placeholder: (number) => (number === 1 ? 'p."id"' : `q."${number}"`),
    parameter: (value: IndexValue) => value,
    filter: filterSql,
  };
  const { text, parameters } = selectRows(dialect, "", read);
  // The first is the partition.
  const values = Object.entries(parameters)
    .slice(1)
    .map(([i, value]) => [Number(i) + 1, value] as const);
  const types = values.map(([number, value]) => `"${number}" ${typeOf(value)}`);
  const columns = columnsOf(read).map((column) => `r.${columnName(column)}`);
  return {
    key: `${types.join()} ${text}`,
    values: Object.fromEntries(values),
    expression: (parameter) => `(
      select json_agg(t."rows" order by q."i")
      from json_to_recordset(${parameter}) as q(${['"i" integer', ...types].join(", ")})
      cross join lateral (
        select json_agg(json_build_array(${columns.join(", ")})) as "rows" from (${text}) r
      ) t
    )`,
  };
}

function typeOf(value: unknown): string {
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  // A bound may be any number.
  return Number.isSafeInteger(value) ? "bigint" : "double precision";
}

function columnsOf(read: RowRead): readonly string[] {
  return read.type === "count" ? ["count"] : Object.keys(read.table.columns);
}

function decodeRow(read: RowRead, values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  columnsOf(read).forEach((column, i) => {
    const value = values[i];
    if (value === null || (value === "" && read.table.columns[column] === "id?")) return;
    row[column] = value;
  });
  return row;
}

/** A head from its columns, undefined when the partition is not there. */
export function decodeHead(partition: Partition, columns: TextRow): Head | undefined {
  const [seq, generation, salt, recordedAt, records, bytes, policy] = columns;
  if (seq === null || salt === null || salt === "") return undefined;
  return {
    partition,
    seq: Number(seq),
    generation: Number(generation),
    salt: salt as string,
    recordedAt: Number(recordedAt),
    records: Number(records),
    bytes: Number(bytes),
    policy: JSON.parse(policy as string),
  };
}
