import { FluxError } from "../../model/errors.ts";
import type { Partition } from "../../model/partition.ts";
import type { Head, RowRead, TableRead } from "../driver.ts";
import { memoize } from "../memoize.ts";
import { rowSelector, selectedColumns } from "../sql/select.ts";
import type { Row } from "../table.ts";
import { filterSql } from "./filter.ts";
import type { SchemaNames } from "./names.ts";
import { type Form, loop } from "./search/form.ts";
import { searchForm, type VectorTools } from "./search/search-form.ts";
import type { Statement, TextRow } from "./session.ts";

/** Reads of the same form, with the values of each. */
interface Shape {
  readonly expression: string;
  /** Each with the number of the read that it is. */
  readonly requests: Record<string, unknown>[];
}

export interface ReadStatement extends Required<Statement> {
  /** The rows of the reads, in the order of the reads, from the statement's only row. */
  decode(row: TextRow | undefined): readonly (readonly Row[])[];
}

/** The most bytes that reads of one form give: JavaScript's strings have a limit that must not be met in mid-answer. */
const maxBytes = 256 * 1024 * 1024;
const tooManyBytes = "!";

/** How many forms of read a statement can have: PostgreSQL selects 1,664 columns at most. */
const maxForms = 1_600;

export const headColumns = [
  "seq",
  "generation",
  "salt",
  "recorded_at",
  "records",
  "bytes",
  "grains",
  "policy",
] as const;

const snapshotColumns = [`m."min_reader"`, ...headColumns.map((column) => `p."${column}"`)];

/** Reads in a partition that is locked. */
export function lockedReads(
  names: SchemaNames,
  tools: VectorTools,
  partition: number,
  reads: readonly RowRead[],
): ReadStatement {
  return readStatement(names, tools, reads, {
    value: partition,
    columns: [],
    from: `(select $1::integer as "id") p`,
  });
}

/** Reads with what the schema wants of its readers and the partition's head, all of one snapshot. */
export function snapshotReads(
  names: SchemaNames,
  tools: VectorTools,
  key: string,
  reads: readonly RowRead[],
): ReadStatement {
  return readStatement(names, tools, reads, {
    value: key,
    columns: snapshotColumns,
    from: `${names.meta} m left join ${names.partitions} p on p."key" = $1`,
  });
}

/**
 * One statement for all reads of a partition. Reads of one form become one column, a loop over their values, so that the
 * text depends on the forms alone, however many reads there are, and comes again to be found prepared.
 *
 * The column holds the rows as JSON, whose properties are the numbers of the columns. What JSON writes is read back as it
 * was: text with its control characters, integers up to 2^53, doubles in their shortest form.
 *
 * @param source the partition as `p`, whose value is the first parameter, and columns to select before
 */
function readStatement(
  names: SchemaNames,
  tools: VectorTools,
  reads: readonly RowRead[],
  source: { readonly value: string | number; readonly columns: readonly string[]; readonly from: string },
): ReadStatement {
  const shapes = new Map<string, Shape>();
  const allForms = reads.map((read) =>
    isTableRead(read) ? tableForm(names, read) : searchForm(names, tools, String(source.value), read),
  );
  allForms.forEach(({ key, expression, values }, place) => {
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = { expression: expression(`$${shapes.size + 2}`), requests: [] };
      shapes.set(key, shape);
    }
    shape.requests.push({ i: place, ...values });
  });
  if (shapes.size > maxForms)
    throw new FluxError("too_large", `One call takes at most ${maxForms} different forms of read`);

  const forms = [...shapes.values()];
  const inner = [...source.columns, ...forms.map(({ expression }) => expression)];
  const outer = inner.map((_expression, i) =>
    i < source.columns.length
      ? `x.c${i}`
      : `case when octet_length(x.c${i}) > ${maxBytes} then '${tooManyBytes}' else x.c${i} end`,
  );
  // The offset keeps the planner from merging the queries and working the rows out twice.
  const text = `
select ${outer.join(", ")}
from (
  select ${inner.map((expression, i) => `${expression} as c${i}`).join(", ")}
  from ${source.from} offset 0
) x`;
  return {
    text,
    values: [source.value, ...forms.map(({ requests }) => JSON.stringify(requests))],
    decode: (row) => decodeRows(allForms, row?.slice(source.columns.length) ?? []),
  };
}

function decodeRows(forms: readonly Form[], columns: TextRow): readonly (readonly Row[])[] {
  const results: Row[][] = forms.map(() => []);
  for (const json of columns) {
    if (json === null) continue;
    if (json === tooManyBytes) {
      throw new FluxError("too_large", `The rows take more than ${maxBytes} bytes`, {
        hint: "Ask for fewer records at a time, with limit.",
      });
    }
    for (const object of JSON.parse(json) as Record<string, unknown>[]) {
      const place = object.i as number;
      results[place]?.push(...(forms[place] as Form).decode(object));
    }
  }
  return results;
}

function isTableRead(read: RowRead): read is TableRead {
  return "table" in read;
}

function tableForm(names: SchemaNames, read: TableRead): Form {
  const { text, parameters } = selectorOf(names)("", read);
  // The first is the partition.
  const values = Object.entries(parameters)
    .slice(1)
    .map(([i, value]) => [Number(i) + 1, value] as const);
  const types = Object.fromEntries(values.map(([number, value]) => [number, typeOf(value)]));
  return {
    key: `${JSON.stringify(types)} ${text}`,
    values: Object.fromEntries(values),
    expression: (parameter) => loop(parameter, types, text, selectedColumns(read).length),
    decode: (object) => [decodeRow(read, object)],
  };
}

const selectorOf = memoize((names: SchemaNames) =>
  rowSelector({
    table: (table) => names.table(table),
    placeholder: (number) => (number === 1 ? 'p."id"' : `q."${number}"`),
    parameter: (value) => value,
    filter: filterSql,
  }),
);

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "jsonb";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  // A bound may be any number.
  return Number.isSafeInteger(value) ? "bigint" : "double precision";
}

function decodeRow(read: TableRead, values: Record<string, unknown>): Row {
  const row: Record<string, unknown> = {};
  selectedColumns(read).forEach((column, i) => {
    const value = values[i];
    if (value === null || (value === "" && read.table.columns[column] === "id?")) return;
    row[column] = value;
  });
  return row;
}

/** A head from its columns, undefined when the partition is not there. */
export function decodeHead(partition: Partition, columns: TextRow): Head | undefined {
  const [seq, generation, salt, recordedAt, records, bytes, grains, policy] = columns;
  if (seq === null) return undefined;
  return {
    partition,
    seq: Number(seq),
    generation: Number(generation),
    salt: salt as string,
    recordedAt: Number(recordedAt),
    records: Number(records),
    bytes: Number(bytes),
    grains: JSON.parse(grains as string),
    policy: JSON.parse(policy as string),
  };
}
