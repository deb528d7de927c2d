import type { Predicate, Test } from "../filter.ts";

type Bind = (value: string) => string;

/**
 * A condition on metadata that agrees with `matches`: true or false for every row, never NULL, so that `not` means what it
 * says. Keys and values are parameters. Numbers are compared as the decimal numbers that JSON writes, whose order is that
 * of the doubles they stand for.
 */
export function filterSql(predicate: Predicate, bind: Bind): string {
  switch (predicate.type) {
    case "and":
    case "or": {
      const items = predicate.items.map((item) => filterSql(item, bind));
      if (items.length === 0) return predicate.type === "and" ? "true" : "false";
      return `(${items.join(` ${predicate.type} `)})`;
    }
    case "not":
      return `(not ${filterSql(predicate.item, bind)})`;
    case "test":
      return `coalesce(${testSql(`("metadata"::jsonb -> ${bind(predicate.key)})`, predicate.test, bind)}, false)`;
  }
}

const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** Only CASE keeps PostgreSQL from looking at a value before its type is known. */
function testSql(value: string, test: Test, bind: Bind): string {
  const ofType = (type: string, condition: string): string =>
    `case jsonb_typeof(${value}) when '${type}' then ${condition} end`;
  switch (test.op) {
    case "exists":
      return `${value} is not null`;
    case "eq":
      return `${value} = ${bind(JSON.stringify(test.value))}::jsonb`;
    case "in":
      // An array contains the scalars that are its elements; a list would be contained in it as well.
      return `case jsonb_typeof(${value}) when 'array' then false else ${bind(JSON.stringify(test.value))}::jsonb @> ${value} end`;
    case "contains":
      return ofType("array", `${value} @> ${bind(JSON.stringify([test.value]))}::jsonb`);
    default: {
      const operator = operators[test.op];
      return typeof test.value === "number"
        ? ofType("number", `${value}::numeric ${operator} ${bind(JSON.stringify(test.value))}::numeric`)
        : ofType("string", `(${value} #>> '{}') collate "C" ${operator} ${bind(test.value)} collate "C"`);
    }
  }
}
