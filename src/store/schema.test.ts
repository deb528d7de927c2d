import { describe, expect, test } from "vitest";
import { type Kind, recordTables, tables } from "./schema.ts";
import { indexOrder, isOptional } from "./table.ts";

/** The bytes of the longest id that a column takes; one of a few names is short. */
function longest(table: string, column: string): number {
  const { schema } = recordTables[table as Kind] ?? {};
  const property = schema?.shape[column];
  if (property === undefined) return 512;
  return [512, 256].find((bytes) => property.safeParse("x".repeat(bytes)).success) ?? 32;
}

describe.each(tables.map((table) => [table.name, table] as const))("table %s", (_name, table) => {
  test("indexes columns that every backend orders alike, in a total order", () => {
    for (const index of ["byId", ...Object.keys(table.indexes)]) {
      const order = indexOrder(table, index);
      expect(new Set(order).size).toBe(order.length);
      expect(order).toEqual(expect.arrayContaining([...table.key]));
      for (const column of order)
        expect(["id", "id?", "integer", "boolean"]).toContain(table.columns[column]);
    }
  });

  test("fits every index entry into a PostgreSQL B-tree page", () => {
    for (const index of ["byId", ...Object.keys(table.indexes)]) {
      const ids = (table.indexes[index]?.columns ?? table.key).filter((column) =>
        table.columns[column]?.startsWith("id"),
      );
      const bytes = ids.reduce((sum, column) => sum + longest(table.name, column), 0);
      // A third of a page is 2,704 bytes; the link table's key holds kinds and roles that are short.
      if (table.name !== "link") expect(bytes).toBeLessThanOrEqual(1536);
    }
  });
});

describe.each(Object.values(recordTables).map((table) => [table.name, table] as const))(
  "kind %s",
  (_name, table) => {
    const properties = Object.keys(table.schema.shape);

    test("has a column for every property, optional alike", () => {
      for (const property of properties) {
        const type = table.columns[property];
        expect(type, property).toBeDefined();
        const optional = table.schema.shape[property].safeParse(undefined).success;
        expect(isOptional(type as never), property).toBe(optional);
      }
    });

    test("can change only properties that no unique index holds", () => {
      const unique = Object.values(table.indexes).flatMap((index) => (index.unique ? index.columns : []));
      for (const column of table.mutable) {
        expect(properties).toContain(column);
        expect(unique).not.toContain(column);
      }
    });

    test("has no unique index if its records expire, since one that did still holds its key", () => {
      const unique = Object.values(table.indexes).some((index) => index.unique);
      expect(table.expires && unique).toBe(false);
    });

    test("is found by every label it has", () => {
      if ("sessionId" in table.columns)
        expect(table.indexes).toMatchObject({ bySession: { columns: ["sessionId", "seq"] } });
      if ("agentId" in table.columns && "sessionId" in table.columns)
        expect(table.indexes).toHaveProperty("byAgent");
    });

    test("is reached from what it follows", () => {
      for (const { index, kind } of table.follows) {
        const [first = ""] = table.indexes[index]?.columns ?? [];
        expect(table.columns[first]).toBe("id");
        if (kind !== undefined) expect(recordTables).toHaveProperty(kind);
      }
    });
  },
);
