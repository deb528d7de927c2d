import type { Predicate, Test } from "../filter.ts";

/**
 * A condition on metadata that agrees with `matches`: true or false for every row, never NULL, so that `not` means what it
 * says. Keys and values are the elements of one JSON parameter, however many there are. Numbers are compared as the decimal
 * numbers that JSON writes, whose order is that of the doubles they stand for.
 *
 * @param bind adds the parameter, whose elements are added later, and returns its place in the statement
 */
export function filterSql(predicate: Predicate, bind: (value: unknown) => string): string {
  const values: unknown[] = [];
  const list = bind(values);
  return predicateSql(predicate, (value) => {
    values.push(value);
    return { json: `(${list} -> ${values.length - 1})`, text: `(${list} ->> ${values.length - 1})` };
  });
}

type Add = (value: unknown) => { readonly json: string; readonly text: string };

function predicateSql(predicate: Predicate, add: Add): string {
  switch (predicate.type) {
    case "and":
    case "or": {
      const items = predicate.items.map((item) => predicateSql(item, add));
      if (items.length === 0) return predicate.type === "and" ? "true" : "false";
      return `(${items.join(` ${predicate.type} `)})`;
    }
    case "not":
      return `(not ${predicateSql(predicate.item, add)})`;
    case "test": {
      const value = `("metadata"::jsonb -> ${add(predicate.key).text})`;
      return `coalesce(${testSql(value, predicate.test, add)}, false)`;
    }
  }
}

const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** Only CASE keeps PostgreSQL from looking at a value before its type is known. */
function testSql(value: string, test: Test, add: Add): string {
  const ofType = (type: string, condition: string): string =>
    `case jsonb_typeof(${value}) when '${type}' then ${condition} end`;
  switch (test.op) {
    case "exists":
      return `${value} is not null`;
    case "eq":
      return `${value} = ${add(test.value).json}`;
    case "in":
      // An array contains the scalars that are its elements; a list would be contained in it as well.
      return `case jsonb_typeof(${value}) when 'array' then false else ${add(test.value).json} @> ${value} end`;
    case "contains":
      return ofType("array", `${value} @> ${add([test.value]).json}`);
    default: {
      const operator = operators[test.op];
      return typeof test.value === "number"
        ? ofType("number", `${value}::numeric ${operator} ${add(test.value).json}::numeric`)
        : ofType("string", `(${value} #>> '{}') collate "C" ${operator} ${add(test.value).text} collate "C"`);
    }
  }
}
