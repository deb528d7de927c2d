import type { RowConditions } from "../../driver.ts";
import { columnName } from "../../sql/select.ts";
import { filterSql } from "../filter.ts";

export interface ConditionsSql {
  /** On the columns of a grain, true or false. */
  readonly text: string;
  /** SQL types and values of what the text refers to as columns of `q`. */
  readonly types: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Conditions on grains as SQL, and that they have not expired. */
export function conditionsSql({ allowed, from, until, filter }: RowConditions, now: number): ConditionsSql {
  const types: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const bind = (type: string, value: unknown): string => {
    const name = `w${Object.keys(types).length}`;
    types[name] = type;
    values[name] = value;
    return `q."${name}"`;
  };
  const conditions = [`("expires_at" is null or "expires_at" > ${bind("bigint", now)})`];
  for (const [column, list] of allowed)
    conditions.push(`${columnName(column)} = any (${bind("text[]", list)})`);
  if (from !== undefined) conditions.push(`"said_at" >= ${bind("bigint", from)}`);
  if (until !== undefined) conditions.push(`"said_at" < ${bind("bigint", until)}`);
  if (filter !== undefined) conditions.push(filterSql(filter, (value) => bind("jsonb", value)));
  return { text: conditions.join(" and "), types, values };
}
