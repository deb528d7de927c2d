import { declared, type NewSpace, type Space } from "../../search.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";

const columns = `"id", "kind", "maker", "dimensions", "state"`;
const listText = `select ${columns} from "space" order by "id"`;
const liveText = `select "id", "dimensions" from "space" where "state" <> 'retired' order by "id"`;
const insertText = `insert into "space" ("kind", "maker", "dimensions", "state") values (?, ?, ?, ?)
  returning ${columns}`;
const retireText = `update "space" set "state" = 'retired' where "state" = 'active' and "id" <> ?
  and "kind" = (select "kind" from "space" where "id" = ?)`;
const activateText = `update "space" set "state" = 'active' where "id" = ? returning ${columns}`;
const removeText = `delete from "space" where "id" = ? and "state" <> 'active'`;

export function listSpaces(connection: Connection): readonly Space[] {
  return connection.statement(listText).all().map(toSpace);
}

/** The spaces that entries have to be made for. */
export function liveSpaces(connection: Connection): readonly Row[] {
  return connection
    .statement(liveText)
    .all()
    .map(([id, dimensions]) => ({ id, dimensions }));
}

export function declareSpace(connection: Connection, wanted: NewSpace): Space {
  const found = declared(listSpaces(connection), wanted);
  if ("id" in found) return found;
  const { kind, maker, dimensions } = wanted;
  return toSpace(connection.statement(insertText).get(kind, maker, dimensions, found.state) as unknown[]);
}

export function activateSpace(connection: Connection, id: number): Space | undefined {
  connection.statement(retireText).run(id, id);
  const row = connection.statement(activateText).get(id);
  return row === undefined ? undefined : toSpace(row);
}

/** Whether it was removed. */
export function removeSpace(connection: Connection, id: number): boolean {
  return connection.statement(removeText).run(id).changes > 0;
}

function toSpace([id, kind, maker, dimensions, state]: unknown[]): Space {
  return { id, kind, maker, dimensions, state } as Space;
}
