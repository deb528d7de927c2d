import type { FindRows } from "./driver.ts";
import { recordTables } from "./schema.ts";
import type { Follow, RecordTable } from "./table.ts";

/** The tables of records that go with one of this kind, with the index on which each is found by it. */
export function followersOf(kind: string): readonly (Follow & { readonly table: RecordTable })[] {
  return Object.values(recordTables).flatMap((table) =>
    table.follows
      .filter((follow) => follow.kind === undefined || follow.kind === kind)
      .map((follow) => ({ table, ...follow })),
  );
}

/** Finds what goes with a record, in the order of `followersOf`. */
export function followerReads({ name }: RecordTable, id: string): FindRows[] {
  return followersOf(name).map(({ table, index, kind }) => {
    // An index that begins with the kind is told it; one for a single kind begins with the id.
    const prefix = kind === undefined ? [name, id] : [id];
    return { type: "find", table, index, prefix };
  });
}
