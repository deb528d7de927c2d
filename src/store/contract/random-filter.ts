import type { Metadata, MetadataValue } from "../../model/metadata.ts";
import type { Filter } from "../filter.ts";
import type { Choices } from "./seeded-randomness.ts";

const keys = ["a", "b", "a.b", "é", "x y"];
const scalars = [0, 1, -1, 2.5, "", "a", "b", "1", "\uffff", "\u{10000}", "true", true, false] as const;
const strings = scalars.filter((scalar) => typeof scalar === "string");
const comparable = scalars.filter((scalar) => typeof scalar !== "boolean");

export function randomMetadata(choices: Choices): Metadata | undefined {
  if (choices.chance(10)) return undefined;
  return Object.fromEntries(
    choices
      .some(keys, 60)
      .map((key): [string, MetadataValue] => [
        key,
        choices.chance(25) ? choices.some(strings, 40) : choices.of(scalars),
      ]),
  );
}

export function randomFilter(choices: Choices, depth: number): Filter {
  const filter: Record<string, unknown> = {};
  for (const key of choices.some(keys, 25)) filter[key] = randomCondition(choices);
  if (depth > 0) {
    const some = (): Filter[] =>
      Array.from({ length: choices.below(3) }, () => randomFilter(choices, depth - 1));
    if (choices.chance(25)) filter.and = some();
    if (choices.chance(25)) filter.or = some();
    if (choices.chance(25)) filter.not = randomFilter(choices, depth - 1);
  }
  return filter as Filter;
}

function randomCondition(choices: Choices): unknown {
  if (choices.chance(30)) return choices.of(scalars);
  const condition: Record<string, unknown> = {};
  const operators = ["eq", "in", "gt", "gte", "lt", "lte", "exists", "contains"];
  for (const operator of [choices.of(operators), ...choices.some(operators, 8)]) {
    if (operator === "in") condition.in = choices.some(scalars, 30);
    else if (operator === "exists") condition.exists = choices.chance(50);
    else if (operator === "contains") condition.contains = choices.of(strings);
    else condition[operator] = choices.of(operator === "eq" ? scalars : comparable);
  }
  return condition;
}

/** What the documentation of `Filter` says, written down a second time, without the parser or its predicates. */
export function holds(filter: Filter, metadata: Metadata): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (condition === undefined) return true;
    if (key === "and") return (condition as readonly Filter[]).every((item) => holds(item, metadata));
    if (key === "or") return (condition as readonly Filter[]).some((item) => holds(item, metadata));
    if (key === "not") return !holds(condition as Filter, metadata);
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    if (typeof condition !== "object") return value === condition;
    return Object.entries(condition).every(([operator, operand]) => conditionHolds(operator, operand, value));
  });
}

function conditionHolds(operator: string, operand: unknown, value: MetadataValue | undefined): boolean {
  if (operator === "exists") return operand === (value !== undefined);
  if (value === undefined) return false;
  if (operator === "contains") return Array.isArray(value) && value.some((item) => item === operand);
  if (Array.isArray(value)) return false;
  if (operator === "eq") return value === operand;
  if (operator === "in") return (operand as unknown[]).some((item) => item === value);
  if (typeof value !== typeof operand || typeof value === "boolean") return false;
  const sign =
    typeof value === "string"
      ? Buffer.compare(Buffer.from(value), Buffer.from(operand as string))
      : Math.sign((value as number) - (operand as number));
  return operator === "gt"
    ? sign > 0
    : operator === "gte"
      ? sign >= 0
      : operator === "lt"
        ? sign < 0
        : sign <= 0;
}
