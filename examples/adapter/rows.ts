import { type FindRows, indexOrder, matches, type Row, type Table } from "flux-memory/adapter";

/** Absent ids are stored as the empty string, which is no id. */
export const cell = (row: Row, column: string): string | number | boolean => (row[column] as string) ?? "";
export const isExpired = (row: Row, now = Number.NEGATIVE_INFINITY): boolean =>
  row.expiresAt !== undefined && (row.expiresAt as number) <= now;
export const hasKey = (table: Table, row: Row, key: readonly string[]): boolean =>
  table.key.every((column, i) => row[column] === key[i]);

/** Text is compared by its bytes, numbers and booleans by their size. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (typeof a === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

export function filtered(row: Row, filter: FindRows["filter"]): boolean {
  return (
    filter === undefined ||
    matches(filter, row.metadata === undefined ? undefined : JSON.parse(row.metadata as string))
  );
}

/** Stored rows as a read wants them: new ones of the columns that it names, without absent values, or all as they are. */
export function selected(rows: readonly Row[], columns: readonly string[] | undefined): readonly Row[] {
  if (columns === undefined) return rows;
  return rows.map((row) => {
    const present = columns.filter((column) => row[column] !== undefined);
    return Object.fromEntries(present.map((column) => [column, row[column]]));
  });
}

/** The rows along an index, in its order and from a place on. */
export function find(rows: readonly Row[], read: FindRows): readonly Row[] {
  const { table, index, prefix, range = {}, reverse = false, after, filter, limit, now } = read;
  const order = indexOrder(table, index);
  const rest = order.slice(prefix.length);
  const direction = reverse ? -1 : 1;
  const place = (row: Row): readonly unknown[] => rest.map((column) => cell(row, column));
  const bounded = (row: Row): boolean => {
    if (rest[0] === undefined) return true;
    const value = cell(row, rest[0]);
    const { gt, gte, lt, lte } = range;
    return (
      (gt === undefined || compare(value, gt) > 0) &&
      (gte === undefined || compare(value, gte) >= 0) &&
      (lt === undefined || compare(value, lt) < 0) &&
      (lte === undefined || compare(value, lte) <= 0)
    );
  };
  return rows
    .filter((row) => prefix.every((value, i) => cell(row, order[i] as string) === value) && bounded(row))
    .filter((row) => after === undefined || direction * compareLists(place(row), after) > 0)
    .filter((row) => !isExpired(row, now) && filtered(row, filter))
    .sort((a, b) => direction * compareLists(place(a), place(b)))
    .slice(0, limit);
}
