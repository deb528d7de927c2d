import { declared, type NewSpace, type Space } from "../../search.ts";
import type { SchemaNames } from "../names.ts";
import type { Session, TextRow } from "../session.ts";
import { type Form, loop } from "./form.ts";

const columns = `"id", "kind", "maker", "dimensions", "state"`;

/**
 * The spaces that entries have to be made for. Reading the table shares a lock on it until the commit, which changes of spaces
 * need for themselves: no entry is committed by someone who does not know them.
 */
export function spacesForm(names: SchemaNames): Form {
  const text = `select "id", "dimensions" from ${names.space} where "state" <> 'retired' order by "id"`;
  return {
    key: "spaces",
    expression: (parameter) => loop(parameter, {}, text),
    values: {},
    decode: ({ id, dimensions }) => [{ id, dimensions }],
  };
}

export async function listSpaces(session: Session, { space }: SchemaNames): Promise<readonly Space[]> {
  return (await session.query(`select ${columns} from ${space} order by "id"`)).map(toSpace);
}

export function declareSpace(session: Session, names: SchemaNames, wanted: NewSpace): Promise<Space> {
  return changing(session, names, async () => {
    const found = declared(await listSpaces(session, names), wanted);
    if ("id" in found) return found;
    const { kind, maker, dimensions } = wanted;
    const text = `insert into ${names.space} ("kind", "maker", "dimensions", "state") values ($1, $2, $3, $4)
      returning ${columns}`;
    const [row = []] = await session.query(text, [kind, maker, dimensions, found.state]);
    return toSpace(row);
  });
}

export function activateSpace(session: Session, names: SchemaNames, id: number): Promise<Space | undefined> {
  const { space } = names;
  return changing(session, names, async () => {
    const retire = `update ${space} set "state" = 'retired' where "state" = 'active' and "id" <> $1::bigint
      and "kind" = (select "kind" from ${space} where "id" = $1::bigint)`;
    await session.query(retire, [id]);
    const activate = `update ${space} set "state" = 'active' where "id" = $1::bigint returning ${columns}`;
    const [row] = await session.query(activate, [id]);
    return row === undefined ? undefined : toSpace(row);
  });
}

/** Has commits stop writing to a space, unless it is active; whether it is there and they do. */
export function retireSpace(session: Session, names: SchemaNames, id: number): Promise<boolean> {
  return changing(session, names, async () => {
    const text = `update ${names.space} set "state" = 'retired' where "id" = $1::bigint and "state" <> 'active'
      returning 1`;
    return (await session.query(text, [id])).length > 0;
  });
}

/** Removes an empty space that is retired. */
export function removeSpace(session: Session, names: SchemaNames, id: number): Promise<void> {
  return changing(session, names, async () => {
    await session.query(`delete from ${names.space} where "id" = $1::bigint and "state" = 'retired'`, [id]);
  });
}

/** A transaction that changes the spaces, once no commit is under way that has read them. */
async function changing<T>(session: Session, { space }: SchemaNames, work: () => Promise<T>): Promise<T> {
  await session.command("begin");
  await session.command(`lock table ${space} in access exclusive mode`);
  const result = await work();
  await session.command("commit");
  return result;
}

function toSpace([id, kind, maker, dimensions, state]: TextRow): Space {
  return { id: Number(id), kind, maker, dimensions: Number(dimensions), state } as Space;
}
