import type { SchemaNames } from "../names.ts";
import { type Form, loop } from "./form.ts";
import { onlyRow } from "./only-row.ts";

/** What all spaces together hold of some grains. */
export function indexedForm(names: SchemaNames, grainIds: readonly string[]): Form {
  const text = `
    select coalesce(sum(e.count + v.count), 0) as "count" from unnest(q."ids") as t("id")
    cross join lateral (
      select count(*) from (
        select from ${names.entry} where "partition" = p."id" and ${onlyRow("grain_id", 't."id"')}
      ) f
    ) e
    cross join lateral (
      select count(*) from ${names.space} s cross join lateral (
        select from ${names.vector} where "partition" = p."id" and "space" = s."id" and ${onlyRow("grain_id", 't."id"')}
      ) f offset 0
    ) v`;
  return {
    key: "indexed",
    expression: (parameter) => loop(parameter, { ids: "text[]" }, text),
    values: { ids: grainIds },
    decode: ({ count }) => [{ count }],
  };
}
