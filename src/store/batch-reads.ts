import type { RecordTable } from "./table.ts";

/** The read of the spaces. */
export const spacesName = "spaces";

/** What the reads of a batch are called in its `places`. */
export function rowName(kind: string, id: string): string {
  return `${kind}/${id}`;
}

export function markerName(table: RecordTable, id: string): string {
  return `marker ${table.name}/${id}`;
}

/** The markers of ids that the operation gives. */
export function markersName(table: RecordTable): string {
  return `markers ${table.name}`;
}

export function linksName(
  index: "byId" | "bySource",
  { name }: { readonly name: string },
  id: string,
): string {
  return `${index} ${name}/${id}`;
}

/** The records that go with one, in the table number `i` of those that hold such. */
export function followersName(table: RecordTable, id: string, i: number): string {
  return `follows ${i} ${table.name}/${id}`;
}
