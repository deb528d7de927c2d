import { derivedId } from "../model/ids.ts";
import type { Ref } from "../model/record.ts";
import type { RowWrite } from "./driver.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";
import { tableOf } from "./translate.ts";

/**
 * The queue of the jobs that derive anew what lost a source, or came back from a purge. Payload: { kind, id, thread?, hidden? };
 * sources: those that are left. With `hidden` it names what a purge hides: what that had changed is to be derived without it.
 */
export const deriveQueue = "derive";

const deriveAttempts = 8;

/**
 * Writes a job that derives a record anew.
 *
 * @param row the record's, with its thread
 * @param links to the sources that are left
 * @param job.ordinal among those of one key, from which their ids derive
 */
export function deriveAnew(
  { kind, id }: Ref,
  row: Row,
  links: readonly Row[],
  {
    key,
    ordinal,
    hidden,
    ...columns
  }: {
    readonly key: string;
    readonly ordinal: number;
    readonly hidden?: true;
    readonly seq: number;
    readonly readyAt: number;
    readonly generation: number;
  },
): readonly RowWrite[] {
  const { job, link } = systemTables;
  const { thread } = tableOf(kind);
  const derived = { derivedKind: job.name, derivedId: derivedId(key, ordinal) };
  const added = {
    id: derived.derivedId,
    queue: deriveQueue,
    payload: JSON.stringify({ kind, id, ...(thread === undefined ? {} : { thread: row[thread] }), hidden }),
    ...{ dead: false, attempts: 0, maxAttempts: deriveAttempts },
    ...columns,
  };
  return [
    { type: "insert", table: job, row: added },
    ...links.map((one): RowWrite => ({ type: "insert", table: link, row: { ...one, ...derived } })),
  ];
}
